{{/*
Labels and annotations of the pods of a part. Takes root, name, values, and the settings that make new pods when they change.
The version of the chart is not among the labels: an upgrade that changes nothing of a pod starts none anew.
*/}}
{{- define "smalt.pod-metadata" -}}
labels:
  {{- merge (dict) (include "smalt.selector" . | fromYaml) .values.podLabels .root.Values.labels | toYaml | nindent 2 }}
annotations:
  # The first container is the one that people want the log of.
  kubectl.kubernetes.io/default-container: {{ .container | default .name }}
  {{- with .checksum }}
  checksum/config: {{ toJson . | sha256sum }}
  {{- end }}
  {{- with .values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* What all pods have. `token` says whether they may ask the API server. */}}
{{- define "smalt.pod" -}}
serviceAccountName: {{ .account | default .name }}
automountServiceAccountToken: {{ .token }}
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Where the pods of the control plane run. */}}
{{- define "smalt.control-plane-placement" -}}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- $affinity := .values.affinity | default (include "smalt.away-from-hypervisors" .root | fromYaml) }}
{{- with $affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if hasKey .values "topologySpreadConstraints" }}
topologySpreadConstraints:
  {{- if .values.topologySpreadConstraints }}
  {{- toYaml .values.topologySpreadConstraints | nindent 2 }}
  {{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "smalt.selector" . | nindent 8 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/*
The labels of hypervisors, as YAML. The usual one is no default of the values: Helm would add to it what somebody sets there.
*/}}
{{- define "smalt.hypervisor-labels" -}}
{{- .Values.nodes.selector | default (dict "node-role.kubernetes.io/hypervisor" "") | toYaml }}
{{- end -}}

{{/*
Away from hypervisors: whoever is root of a node has the tokens and Secrets of the pods there. A node is one if it has all labels
of the selector, or all that an agent goes by instead, so it is none as soon as one of each is missing. The logs collector is no
such agent: people want the logs of the control plane too.
*/}}
{{- define "smalt.away-from-hypervisors" -}}
{{- $labels := include "smalt.hypervisor-labels" . | fromYaml -}}
{{- $selectors := list $labels -}}
{{- range $agent := list .Values.nodeAgent .Values.haAgent .Values.ovsAgent .Values.virtHandler .Values.libvirt.managed -}}
{{- /* One with those labels and more has some of the same nodes. */}}
{{- $isWithin := true -}}
{{- range $key, $value := $labels }}{{ if ne (dig $key "/" $agent.nodeSelector) $value }}{{ $isWithin = false }}{{ end }}{{ end -}}
{{- if and $agent.enabled $agent.nodeSelector (not $isWithin) }}{{ $selectors = append $selectors $agent.nodeSelector }}{{ end -}}
{{- end -}}
{{- /* One of the terms has to hold, and all of its expressions: so there is a term for each choice of what is missing. */}}
{{- $choices := list (list) -}}
{{- range $selector := uniq $selectors -}}
{{- $longer := list -}}
{{- range $choice := $choices -}}
{{- range $key, $value := $selector -}}
{{- $longer = append $longer (append $choice (dict "key" $key "operator" "NotIn" "values" (list $value))) -}}
{{- end -}}
{{- end -}}
{{- $choices = $longer -}}
{{- end -}}
{{- $terms := list -}}
{{- range $choices }}{{ $terms = append $terms (dict "matchExpressions" .) }}{{ end -}}
{{- if eq .Values.nodes.controlPlane "never" }}
nodeAffinity:
  requiredDuringSchedulingIgnoredDuringExecution:
    nodeSelectorTerms:
      {{- toYaml $terms | nindent 6 }}
{{- else if eq .Values.nodes.controlPlane "avoid" }}
nodeAffinity:
  preferredDuringSchedulingIgnoredDuringExecution:
    {{- range $terms }}
    - weight: 100
      preference:
        {{- toYaml . | nindent 8 }}
    {{- end }}
{{- end }}
{{- end -}}

{{/*
A pod is told to end while others still send to it: it goes on serving until they have heard of it. For ports that somebody
waits for with no second try.
*/}}
{{- define "smalt.serve-on" -}}
lifecycle:
  preStop:
    sleep:
      seconds: 5
{{- end -}}

{{/* Where agents run: on hypervisors, whatever state those are in. */}}
{{- define "smalt.agent-placement" -}}
nodeSelector:
  {{- .values.nodeSelector | default (include "smalt.hypervisor-labels" .root | fromYaml) | toYaml | nindent 2 }}
tolerations:
  {{- .values.tolerations | default .root.Values.nodes.tolerations | toYaml | nindent 2 }}
{{- end -}}

{{/* Nobody in particular, without any right: what a pod of the control plane is. */}}
{{- define "smalt.nobody" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* What a container may: nothing but what is in `beyond`, and what the values say wins over both. Takes values, and perhaps beyond. */}}
{{- define "smalt.locked" -}}
{{- $locked := dict
  "privileged" false
  "allowPrivilegeEscalation" false
  "readOnlyRootFilesystem" true
  "capabilities" (dict "drop" (list "ALL")) -}}
{{- /* Both together are refused. */}}
{{- if .values.securityContext.privileged }}{{ $locked = unset $locked "allowPrivilegeEscalation" }}{{ end -}}
{{- mergeOverwrite $locked (.beyond | default (dict)) (deepCopy .values.securityContext) | toYaml }}
{{- end -}}

{{/* The same of one that is root of its node anyway. The runtime confines it by neither AppArmor nor SELinux. Takes values. */}}
{{- define "smalt.privileged" -}}
{{- mergeOverwrite (dict "privileged" true "readOnlyRootFilesystem" true) (deepCopy .values.securityContext) | toYaml }}
{{- end -}}

{{/* The image of a container and what it may take. */}}
{{- define "smalt.container" -}}
image: {{ include "smalt.image" (dict "root" .root "image" .values.image) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
resources:
  {{- toYaml .values.resources | nindent 2 }}
{{- end -}}

{{/* Is it ready, and does it live. `port` is the name of one of its ports. */}}
{{- define "smalt.probes" -}}
readinessProbe:
  httpGet:
    path: /readyz
    port: {{ .port }}
    {{- with .host }}
    host: {{ . }}
    {{- end }}
  periodSeconds: 5
  timeoutSeconds: 3
livenessProbe:
  httpGet:
    path: /livez
    port: {{ .port }}
    {{- with .host }}
    host: {{ . }}
    {{- end }}
  periodSeconds: 20
  timeoutSeconds: 5
  failureThreshold: 5
{{- end -}}

{{/* The node that an agent is on, and its address. */}}
{{- define "smalt.node-variables" -}}
- name: NODE_NAME
  valueFrom:
    fieldRef:
      fieldPath: spec.nodeName
- name: HOST_IP
  valueFrom:
    fieldRef:
      fieldPath: status.hostIP
{{- end -}}

{{/* By what agents reach the libvirt of their node: socket, tcp or tls. */}}
{{- define "smalt.libvirt-way" -}}
{{- $uri := .Values.libvirt.uri -}}
{{- if contains "+tcp://" $uri }}tcp{{ else if or (contains "+tls://" $uri) (regexMatch `^[a-z]+://[^/]` $uri) }}tls{{ else }}socket{{ end -}}
{{- end -}}

{{/* What an agent with the variables of its node finds that libvirt by. */}}
{{- define "smalt.libvirt-variables" -}}
{{- with .Values.libvirt.uri }}
- name: LIBVIRT_DEFAULT_URI
  value: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* Whether an agent needs certificates of its node to reach that libvirt, and where they are has not been said. Empty is no. */}}
{{- define "smalt.libvirt-by-pki" -}}
{{- if and (eq (include "smalt.libvirt-way" .) "tls") (not (contains "pkipath=" .Values.libvirt.uri)) }}true{{ end -}}
{{- end -}}

{{/* Who the pod is, for the HA service alone, and whom to take for it: mounts and volumes. */}}
{{- define "smalt.ha-mounts" -}}
{{- if .Values.haService.enabled }}
- name: ha-authority
  mountPath: /etc/smalt/ha
  readOnly: true
{{- end }}
- name: ha-token
  mountPath: /var/run/secrets/smalt/ha
  readOnly: true
{{- end -}}

{{- define "smalt.ha-volumes" -}}
{{- if .Values.haService.enabled }}
# Not from the Secret, whatever part of it: a kubelet may read all of what its pods name, and the keys are the HA service's own.
- name: ha-authority
  configMap:
    name: smalt-ha-authority
    # Filled by the HA service when it runs, for which nobody here waits.
    optional: true
{{- end }}
# The API server does not take this token, so the HA service cannot use it there.
- name: ha-token
  projected:
    sources:
      - serviceAccountToken:
          path: token
          audience: smalt-ha-service
          expirationSeconds: 3600
{{- end -}}

{{/* How agents find the HA service. Of one that runs elsewhere the values say where it is, and whom to take for it. */}}
{{- define "smalt.ha-settings" -}}
{{- if .Values.haService.enabled }}
url: https://smalt-ha-service.{{ .Release.Namespace }}.svc:8443
authority: /etc/smalt/ha/ca.crt
{{- end }}
token: /var/run/secrets/smalt/ha/token
{{- end -}}

{{/* Where HA agents have what they report from. The whole directory: a file by itself would not follow a change of the ConfigMap. */}}
{{- define "smalt.report-mounts" -}}
- name: reports
  mountPath: /etc/smalt/reports
  readOnly: true
{{- end -}}

{{- define "smalt.report-volumes" -}}
- name: reports
  configMap:
    name: {{ .name }}-reports
{{- end -}}

{{/* The ConfigMap with that. It is none of what makes new pods when it changes. Takes root, name and reports. */}}
{{- define "smalt.reports" -}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name }}-reports
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "smalt.labels" . | nindent 4 }}
data:
  reports.yaml: |
    {{- toYaml .reports | nindent 4 }}
{{- end -}}

{{/* The clouds.yaml of OpenStack: variables, mounts and volumes. */}}
{{- define "smalt.openstack-variables" -}}
{{- if eq .Values.compute.kind "openstack" }}
- name: OS_CLIENT_CONFIG_FILE
  value: /etc/smalt/openstack/clouds.yaml
{{- end }}
{{- end -}}

{{- define "smalt.openstack-mounts" -}}
{{- if eq .Values.compute.kind "openstack" }}
- name: openstack
  mountPath: /etc/smalt/openstack
  readOnly: true
{{- end }}
{{- end -}}

{{- define "smalt.openstack-volumes" -}}
{{- if eq .Values.compute.kind "openstack" }}
- name: openstack
  secret:
    secretName: {{ required "compute.openstack.secret: name the Secret with clouds.yaml, or set compute.kind to virtual-machines" .Values.compute.openstack.secret }}
    defaultMode: 0440
{{- end }}
{{- end -}}
