module headway.dev/testenv/argocd

go 1.26.0

require (
	github.com/yuin/gopher-lua v1.1.1
	go.yaml.in/yaml/v3 v3.0.4
)
