{{/* Labels of every object. Takes root and name. */}}
{{- define "smalt.labels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/part-of: smalt
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- with .root.Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* By what the pods of a part are found. It never changes: selectors cannot. */}}
{{- define "smalt.selector" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/part-of: smalt
{{- end -}}

{{/* The metadata of an object in the release's namespace. */}}
{{- define "smalt.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "smalt.labels" . | nindent 2 }}
{{- end -}}

{{/* A ServiceAccount without any right, which gets no token unless a pod asks for it. */}}
{{- define "smalt.account" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "smalt.metadata" . | nindent 2 }}
  {{- with .values.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{/* The reference of an image: by digest where one is given. Takes root and image. */}}
{{- define "smalt.image" -}}
{{- $name := printf "%s/%s" (trimSuffix "/" .root.Values.image.registry) .image.repository -}}
{{- if .image.digest -}}
{{ $name }}@{{ .image.digest }}
{{- else -}}
{{ $name }}:{{ .image.tag | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/*
The objects of a plain file, which is also read where there is no Helm: by tests, and by `smalt up`. The release's namespace
takes the place of the one that stands there, and accounts get no token unless a pod asks for it. Takes root, name and path,
and perhaps `without`, namespaces of the file whose objects are left out, `withoutNames`, names of objects, `annotations`,
`lease`, the name of the only Lease that its roles let be written, `leaseNamespace`, where that Lease lives if not in the release's
namespace (of files whose roles there are for the Lease alone), `rolesIn`, where the Roles of its own namespace are made if not there, and `only`, the one namespace of the file whose objects are made,
with `into`, the namespace that takes its place. `account`, of the values, says which annotations a ServiceAccount has.
*/}}
{{- define "smalt.file" -}}
{{- $context := . -}}
{{- $text := .root.Files.Get .path -}}
{{- if not $text }}{{ fail (printf "the chart has no file %s" .path) }}{{ end -}}
{{- range regexSplit "(?m)^---$" $text -1 }}
{{- /* Before the release's namespace is put in: that one may be called as one of those which are left out. */}}
{{- $namespace := regexFind "(?m)^  namespace: .*$" . | trimPrefix "  namespace: " }}
{{- /* In one go: the release's namespace may have one of the two in its name. */}}
{{- $object := regexReplaceAll "smalt-system|ovn-system" . $context.root.Release.Namespace | fromYaml }}
{{- $isOut := and $namespace (has $namespace ($context.without | default list)) }}
{{- with $context.only }}{{ $isOut = ne $namespace . }}{{ $_ := set $object.metadata "namespace" $context.into }}{{ end }}
{{- if not (or $isOut (has $object.metadata.name ($context.withoutNames | default list))) }}
{{- $labels := merge (dict) (dig "metadata" "labels" (dict) $object) (include "smalt.labels" $context | fromYaml) }}
{{- $_ := set $object.metadata "labels" $labels }}
{{- with $context.annotations }}{{ $_ := set $object.metadata "annotations" . }}{{ end }}
{{- /* Whoever deletes a namespace deletes the machines that somebody may have put there. */}}
{{- if eq $object.kind "Namespace" }}{{ $_ := set $object.metadata "annotations" (dict "helm.sh/resource-policy" "keep") }}{{ end }}
{{- if and (eq $object.kind "Role") $context.lease }}
{{- range $object.rules }}
{{- if and (has "leases" .resources) .resourceNames }}{{ $_ := set . "resourceNames" (list $context.lease) }}{{ end }}
{{- end }}
{{- end }}
{{- with $context.leaseNamespace }}
{{- if and (hasPrefix "Role" $object.kind) (eq $namespace "smalt-system") (ne . $context.root.Release.Namespace) }}
{{- /* By another name than one that somebody has made there by hand. */}}
{{- $_ := set $object.metadata "name" (printf "%s-lease" $object.metadata.name) }}
{{- $_ := set $object.metadata "namespace" . }}
{{- if $object.roleRef }}{{ $_ := set $object.roleRef "name" $object.metadata.name }}{{ end }}
{{- end }}
{{- end }}
{{- with $context.rolesIn }}
{{- if and (hasPrefix "Role" $object.kind) (has $namespace (list "smalt-system" "ovn-system")) }}{{ $_ := set $object.metadata "namespace" . }}{{ end }}
{{- end }}
{{- if eq $object.kind "ServiceAccount" }}
{{- $_ := set $object "automountServiceAccountToken" false }}
{{- with dig "annotations" dict ($context.account | default dict) }}{{ $_ := set $object.metadata "annotations" . }}{{ end }}
{{- end }}
---
{{ toYaml $object }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The settings of a part: those of the chart, and over them those of the values. Takes settings and values. */}}
{{- define "smalt.settings" -}}
{{- mergeOverwrite (deepCopy .settings) (deepCopy .values.config) | toYaml }}
{{- end -}}

{{/* The ConfigMap with them. Takes root, name, settings and values. */}}
{{- define "smalt.config" -}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "smalt.metadata" . | nindent 2 }}
data:
  config.yaml: |
    {{- include "smalt.settings" . | nindent 4 }}
{{- end -}}

{{/* What a Service has beside its name, selector and ports: what the values say. Takes root, name and service, of the values. */}}
{{- define "smalt.service-metadata" -}}
{{- include "smalt.metadata" . }}
{{- with .service.annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "smalt.budget" -}}
{{- if .values.podDisruptionBudget }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "smalt.metadata" . | nindent 2 }}
spec:
  # One at a time: a single replica can be drained too, which is an outage that somebody has asked for.
  maxUnavailable: 1
  # Pods that are not ready anyway do not hold back a drain.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "smalt.selector" . | nindent 6 }}
{{- end }}
{{- end -}}

{{/* A Service without an address, by which Prometheus finds the pods of a part, and what has it do so. Takes root, name and port, and `path` where metrics are elsewhere than usual. */}}
{{- define "smalt.monitor" -}}
{{- $monitors := .root.Values.monitoring.serviceMonitors }}
{{- if $monitors.enabled }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}-metrics
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "smalt.labels" . | nindent 4 }}
    smalt.dev/metrics: 'true'
spec:
  clusterIP: None
  selector:
    {{- include "smalt.selector" . | nindent 4 }}
  ports:
    - name: metrics
      port: {{ .port }}
      targetPort: metrics
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- merge (dict) $monitors.labels (include "smalt.labels" . | fromYaml) | toYaml | nindent 4 }}
spec:
  # Alerts and dashboards go by the job, which is the name of the part.
  jobLabel: app.kubernetes.io/name
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ .name }}
      smalt.dev/metrics: 'true'
  endpoints:
    - port: metrics
      {{- with .path }}
      path: {{ . }}
      {{- end }}
      interval: {{ $monitors.interval }}
      # The namespace and the node of a machine, or the service of OpenStack, are not those of the pod that tells of them.
      honorLabels: true
      relabelings:
        # Agents are known by their nodes.
        - sourceLabels: [__meta_kubernetes_pod_node_name]
          targetLabel: {{ ternary "instance" "node" (.isAgent | default false) }}
{{- end }}
{{- end -}}

{{/* A certificate of cert-manager for a Service of ours. Takes root, name, secret and names. */}}
{{- define "smalt.certificate" -}}
{{- if eq .root.Values.certificates.source "cert-manager" }}
{{- $issuer := .root.Values.certificates.issuer }}
{{- $_ := required "certificates.issuer.name: name the issuer of cert-manager, or set certificates.source to self" $issuer.name }}
{{- $hosts := list }}
{{- $addresses := list }}
{{- range .names }}
{{- if regexMatch "^[0-9.]+$|:" . }}{{ $addresses = append $addresses . }}{{ else }}{{ $hosts = append $hosts . }}{{ end }}
{{- end }}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: {{ .secret }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "smalt.labels" . | nindent 4 }}
spec:
  secretName: {{ .secret }}
  dnsNames:
    {{- toYaml $hosts | nindent 4 }}
  {{- with $addresses }}
  ipAddresses:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  usages: [digital signature, server auth]
  privateKey:
    algorithm: ECDSA
    rotationPolicy: Always
  issuerRef:
    {{- toYaml $issuer | nindent 4 }}
{{- end }}
{{- end -}}

{{/* Whether somebody brings the certificates of libvirt to nodes: node agents install what is made for them. Empty is no. */}}
{{- define "smalt.nodes-have-certificates" -}}
{{- $source := .Values.libvirt.certificates.source -}}
{{- if or (eq $source "nodes") (and .Values.nodeAgent.enabled (ne $source "none")) }}true{{ end -}}
{{- end -}}

{{/* Which value gives guests another address to move by than that of their node. Empty is none. */}}
{{- define "smalt.migration-address" -}}
{{- $variable := "SMALT_VIRT_HANDLER_MIGRATION_ADDRESS" -}}
{{- if dig "migration" "address" "" .Values.virtHandler.config -}}virtHandler.config.migration.address
{{- else -}}
{{- range .Values.virtHandler.extraEnv }}{{ if eq .name $variable }}virtHandler.extraEnv: {{ $variable }}{{ end }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* The names that a Service is reached by in the cluster. */}}
{{- define "smalt.names" -}}
- {{ .name }}
- {{ .name }}.{{ .root.Release.Namespace }}
- {{ .name }}.{{ .root.Release.Namespace }}.svc
{{- end -}}

{{/* The names that the HA service is reached by: in the cluster, and those of the values. Takes root and name. */}}
{{- define "smalt.ha-names" -}}
{{ concat (include "smalt.names" . | fromYamlArray) .root.Values.haService.service.names | uniq | toYaml }}
{{- end -}}

{{/* The names that the console is reached by: in the cluster, and by browsers. Takes root and name. */}}
{{- define "smalt.console-names" -}}
{{- $names := include "smalt.names" . | fromYamlArray -}}
{{- $console := .root.Values.console -}}
{{- range $console.origins }}{{ $names = append $names (get (urlParse .) "hostname" | trimPrefix "[" | trimSuffix "]") }}{{ end -}}
{{- if $console.ingress.enabled }}{{ $names = append $names $console.ingress.host }}{{ end -}}
{{ $names | uniq | toYaml }}
{{- end -}}
