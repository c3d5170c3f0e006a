{{/*
Refuses settings that something else of the chart goes by, such as a right, a Service or a probe, and that would not follow. Takes
part, values and settings; `held`, what to do instead, by the setting; `ports`, settings whose port has to stay; and `followed`,
those that the chart reads in `config` and nowhere else. What the chart says itself is taken.
*/}}
{{- define "smalt.hold" -}}
{{- $context := . -}}
{{- $held := deepCopy (.held | default dict) -}}
{{- range .ports }}{{ $_ := set $held . "keep its port, by which the chart has the pod probed and reached" }}{{ end -}}
{{- range $path, $advice := $held -}}
{{- $said := include "smalt.setting" (dict "settings" $context.values.config "path" $path) -}}
{{- $own := include "smalt.setting" (dict "settings" $context.settings "path" $path) -}}
{{- $isSame := eq $said $own -}}
{{- if has $path ($context.ports | default list) }}{{ $isSame = eq (regexFind "[0-9]*\"?$" $said) (regexFind "[0-9]*\"?$" $own) }}{{ end -}}
{{- if not (or $isSame (eq $said "null")) }}{{ fail (printf "%s.config.%s: %s" $context.part $path $advice) }}{{ end -}}
{{- include "smalt.hold-flag" (dict "part" $context.part "values" $context.values "path" $path "advice" $advice) -}}
{{- end -}}
{{- range .followed -}}
{{- $advice := printf "say %s in %s.config, for rights of the chart depend on it" . $context.part -}}
{{- include "smalt.hold-flag" (dict "part" $context.part "values" $context.values "path" . "advice" $advice) -}}
{{- end -}}
{{- end -}}

{{/* One of the settings, as JSON: null where it is not said. */}}
{{- define "smalt.setting" -}}
{{- $found := .settings -}}
{{- range $name := splitList "." .path -}}
{{- $found = ternary $found dict (kindIs "map" $found) | dig $name nil -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{- define "smalt.hold-flag" -}}
{{- $context := . -}}
{{- $flag := printf "--%s" (replace "." "-" .path | kebabcase) -}}
{{- range .values.extraArgs -}}
{{- if regexMatch (printf "^%s(=|$)" $flag) . }}{{ fail (printf "%s.extraArgs: %s: %s" $context.part $flag $context.advice) }}{{ end -}}
{{- end -}}
{{- end -}}
