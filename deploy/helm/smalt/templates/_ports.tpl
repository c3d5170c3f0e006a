{{/* The pods of all parts that are on, as a list in JSON: each with the part, by the name of its values. Takes root. */}}
{{- define "smalt.pods" -}}
{{- $parts := dict
  "certificates" "certificates"
  "console" "console"
  "ha-agent" "haAgent"
  "ha-service" "haService"
  "hypervisor-operator" "hypervisorOperator"
  "libvirt" "libvirt.managed"
  "logs" "logs"
  "node-agent" "nodeAgent"
  "ovs-agent" "ovsAgent"
  "virt-api" "virtApi"
  "virt-controller" "virtController"
  "virt-handler" "virtHandler" -}}
{{- $pods := list -}}
{{- range $file, $part := $parts -}}
{{- range regexSplit "(?m)^---$" (include (printf "%s/%s.yaml" $.Template.BasePath $file) $) -1 -}}
{{- if regexMatch "(?m)^kind: (Deployment|DaemonSet|CronJob)$" . -}}
{{- $object := fromYaml . -}}
{{- $pod := dig "jobTemplate" "spec" $object.spec $object.spec | dig "template" "spec" dict -}}
{{- $pods = append $pods (dict "part" $part "pod" $pod) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $pods -}}
{{- end -}}

{{/*
The ports that these pods have of their nodes, as a list in JSON: part, port, the labels of the nodes, and whether it may be one of another
address. Takes root and pods.
*/}}
{{- define "smalt.node-ports" -}}
{{- $root := .root -}}
{{- $claims := list -}}
{{- range $one := .pods -}}
{{- if $one.pod.hostNetwork -}}
{{- $nodes := $one.pod.nodeSelector | default dict -}}
{{- range $one.pod.containers -}}
{{- range .ports -}}
{{- $claims = append $claims (dict "part" $one.part "port" (int .containerPort) "nodes" $nodes) -}}
{{- end -}}
{{- /* Its pod names none: nothing of the cluster comes to it. */}}
{{- if and (eq $one.part "libvirt.managed") (has "--listen" .args) -}}
{{- $isOnAddressOfNode := has $root.Values.libvirt.managed.listenAddress (list "" "$(HOST_IP)" "0.0.0.0" "::") -}}
{{- $claims = append $claims (dict "part" $one.part "port" (include "smalt.libvirt-port" $root | int) "nodes" $nodes "mayListenElsewhere" (not $isOnAddressOfNode)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $claims -}}
{{- end -}}

{{/* By which guests move to the managed libvirtd. Takes root. */}}
{{- define "smalt.libvirt-port" -}}
{{- ternary "16514" "16509" (eq .Values.libvirt.transport "tls") -}}
{{- end -}}

{{/*
The ports of virt-api that another part has on nodes where virt-api may run as well, as a list in JSON: each a text, and whether that is
sure. Unlike agents it may come to the nodes of all of them, unless it is kept away; where the values choose nodes for it, the chart can
tell only of those that the other part is on, too. Takes root and pods.
*/}}
{{- define "smalt.virt-api-clashes" -}}
{{- $root := .root -}}
{{- $clashes := list -}}
{{- if or $root.Values.virtApi.affinity (ne $root.Values.nodes.controlPlane "never") -}}
{{- $claims := include "smalt.node-ports" . | fromJsonArray -}}
{{- range $own := $claims -}}
{{- range $other := $claims -}}
{{- if and (eq $own.part "virtApi") (ne $other.part "virtApi") (eq $own.port $other.port) (not (include "smalt.are-apart" (list $own.nodes $other.nodes))) -}}
{{- $name := include "smalt.port-value" (dict "root" $root "claim" $own) -}}
{{- $taken := include "smalt.port-value" (dict "root" $root "claim" $other) -}}
{{- $isWithin := include "smalt.is-within" (list $other.nodes $own.nodes) -}}
{{- $isSure := and (not $root.Values.virtApi.affinity) (or (not $root.Values.virtApi.nodeSelector) $isWithin) (not $other.mayListenElsewhere) -}}
{{- $clashes = append $clashes (dict "text" (printf "%s: %v is %s already" $name $own.port $taken) "isSure" (not (not $isSure))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $clashes -}}
{{- end -}}

{{/* Not empty, if each node of the second selector is one of the first. */}}
{{- define "smalt.is-within" -}}
{{- $within := true -}}
{{- $inner := last . -}}
{{- range $key, $value := first . -}}
{{- if not (and (hasKey $inner $key) (eq $value (get $inner $key))) }}{{ $within = false }}{{ end -}}
{{- end -}}
{{- if $within }}true{{ end -}}
{{- end -}}

{{/* Not empty, if no node is of both selectors, for they want other values of one label. */}}
{{- define "smalt.are-apart" -}}
{{- $other := last . -}}
{{- range $key, $value := first . -}}
{{- if and (hasKey $other $key) (ne $value (get $other $key)) }}true{{ end -}}
{{- end -}}
{{- end -}}

{{/* The name of the value by which a part has a port of its nodes. */}}
{{- define "smalt.port-value" -}}
{{- $claim := .claim -}}
{{- if eq $claim.part "libvirt.managed" }}the port of the managed libvirtd{{ else -}}
{{- $values := get .root.Values $claim.part -}}
{{- range list "port" "metricsPort" "nodeApiPort" "troubleshootingPort" -}}
{{- if eq (int (get $values .)) (int $claim.port) }}{{ $claim.part }}.{{ . }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
