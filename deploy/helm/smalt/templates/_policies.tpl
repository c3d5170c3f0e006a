{{/* Who reaches a part: everybody at the ports that `open` names, and at that of metrics those whom the values name. Takes root and perhaps open. */}}
{{- define "smalt.ingress" -}}
{{- $readers := .root.Values.networkPolicies.metricsFrom }}
{{- $open := .open | default list }}
{{- if not $readers }}{{ $open = append $open "metrics" }}{{ end }}
{{- with $open }}
- ports:
    {{- range . }}
    - port: {{ . }}
    {{- end }}
{{- end }}
{{- with $readers }}
- from:
    {{- toYaml . | nindent 4 }}
  ports:
    - port: metrics
{{- end }}
{{- end -}}
