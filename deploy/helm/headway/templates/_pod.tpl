{{- /* What the pods of all roles have in common. Called with root, role and values, which are the role's. */ -}}

{{- define "headway.pod" -}}
{{- with .values -}}
serviceAccountName: {{ include "headway.name" $ }}
automountServiceAccountToken: true
enableServiceLinks: false
{{- with $.root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
# No user is named: the image has one, and OpenShift gives one out of the namespace's range.
securityContext:
  runAsNonRoot: true
  seccompProfile:
    type: RuntimeDefault
# The write at hand is finished and the lease given back.
terminationGracePeriodSeconds: {{ .terminationGracePeriodSeconds }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
# The node of one is rebooted while the other works on.
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "headway.selector" $ | nindent 8 }}
{{- end }}
{{- end }}

{{- define "headway.container" -}}
{{- with .values -}}
resources:
  {{- toYaml .resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}
{{- end }}

{{- define "headway.budget" -}}
{{- with .values }}
{{- if gt (int .replicas) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "headway.name" $ }}
  namespace: {{ $.root.Release.Namespace }}
  labels:
    {{- include "headway.labels" $ | nindent 4 }}
spec:
  minAvailable: 1
  # A pod that is not ready must never hold up the drain of a node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "headway.selector" $ | nindent 6 }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Where all of them may go: names, and the API server. */ -}}
{{- define "headway.toServer" -}}
# DNS; OpenShift's pods answer on 5353 behind the service's 53.
- to:
    - namespaceSelector:
        matchExpressions:
          - {key: kubernetes.io/metadata.name, operator: In, values: [kube-system, openshift-dns]}
  ports:
    - {protocol: UDP, port: 53}
    - {protocol: TCP, port: 53}
    - {protocol: UDP, port: 5353}
    - {protocol: TCP, port: 5353}
# The API server, and the route of OpenShift's monitoring.
- ports:
    {{- range .Values.networkPolicy.apiServerPorts }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
  {{- with .Values.networkPolicy.apiServerCidrs }}
  to:
    {{- range . }}
    - ipBlock: {cidr: {{ . | quote }}}
    {{- end }}
  {{- end }}
{{- end }}
