{{- /* Names, labels, and answers to "null: find out". A role's templates are given its name. */ -}}

{{- define "headway.name" -}}
headway-operator-{{ .role }}
{{- end }}

{{- define "headway.selector" -}}
app.kubernetes.io/name: headway-operator
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "headway.labels" -}}
{{ include "headway.selector" . }}
{{ include "headway.common" .root }}
{{- end }}

{{- define "headway.common" -}}
app.kubernetes.io/part-of: headway
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "headway.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "headway.openshift" -}}
{{- if kindIs "bool" .Values.openshift.enabled -}}
{{- if .Values.openshift.enabled }}true{{ end -}}
{{- else if .Capabilities.APIVersions.Has "config.openshift.io/v1" -}}
true
{{- end -}}
{{- end }}

{{- define "headway.fleet" -}}
{{- if kindIs "bool" .Values.fleet.enabled -}}
{{- if .Values.fleet.enabled }}true{{ end -}}
{{- else -}}
{{- range list "cluster.x-k8s.io/v1beta2" "cluster.x-k8s.io/v1beta1" "hypershift.openshift.io/v1beta1" "hypershift.openshift.io/v1alpha1" -}}
{{- if $.Capabilities.APIVersions.Has . }}true{{ end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "headway.monitoringView" -}}
{{- if kindIs "bool" .Values.openshift.monitoringView -}}
{{- if .Values.openshift.monitoringView }}true{{ end -}}
{{- else -}}
{{ include "headway.openshift" . }}
{{- end -}}
{{- end }}

{{- define "headway.podMonitor" -}}
{{- if kindIs "bool" .Values.podMonitor.enabled -}}
{{- if .Values.podMonitor.enabled }}true{{ end -}}
{{- else if .Capabilities.APIVersions.Has "monitoring.coreos.com/v1/PodMonitor" -}}
true
{{- end -}}
{{- end }}

{{- define "headway.prometheusRule" -}}
{{- if kindIs "bool" .Values.prometheusRule.enabled -}}
{{- if .Values.prometheusRule.enabled }}true{{ end -}}
{{- else if .Capabilities.APIVersions.Has "monitoring.coreos.com/v1/PrometheusRule" -}}
true
{{- end -}}
{{- end }}

{{- /* The lease of one part of all clusters. */ -}}
{{- define "headway.driveLease" -}}
headway-operator-drive{{ if gt (int .shards) 1 }}-{{ .index }}-of-{{ .shards }}{{ end }}
{{- end }}
