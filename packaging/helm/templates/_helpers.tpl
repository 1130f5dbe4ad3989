{{- define "govern.labels" -}}
{{ include "govern.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "govern.selector" -}}
app.kubernetes.io/name: govern
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "govern.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "govern.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- define "govern.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "govern.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* Keys must be readable by their owner only. A mounted Secret belongs to root, so the container copies them. */}}
{{- define "govern.keysContainer" -}}
name: keys
{{ include "govern.image" . }}
command: [sh, -euc]
args:
  - |
    umask 077
    mkdir -p /keys/keys
    tar --extract --file /secret/keys.tar --directory /keys/keys --no-same-permissions --no-same-owner
    cp /secret/secret-key.hex /keys/
securityContext:
  {{- include "govern.containerSecurity" . | nindent 2 }}
volumeMounts:
  - { name: secret, mountPath: /secret, readOnly: true }
  - { name: keys, mountPath: /keys }
{{- end }}

{{- define "govern.keysEnv" -}}
- { name: GOVERN_ENV, value: production }
- { name: GOVERN_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: GOVERN_KEYS_DIR, value: /keys/keys }
- { name: GOVERN_SECRET_KEY_FILE, value: /keys/secret-key.hex }
{{- if .Values.caConfigMap }}
- { name: PGSSLROOTCERT, value: /ca/ca.crt }
- { name: SSL_CERT_FILE, value: /ca/ca.crt }
- { name: SSL_CERT_DIR, value: /etc/ssl/certs }
{{- end }}
{{- end }}

{{- define "govern.caMount" -}}
{{- if .Values.caConfigMap }}
- { name: ca, mountPath: /ca, readOnly: true }
{{- end }}
{{- end }}

{{- /* An upgrade restarts the servers if a Secret or the certificates changed, because they are read at the start. */}}
{{- define "govern.checksums" -}}
{{- range $name := list .Values.secrets.settings .Values.secrets.keys }}
checksum/{{ $name }}: {{ (lookup "v1" "Secret" $.Release.Namespace $name).data | toJson | sha256sum }}
{{- end }}
{{- with .Values.caConfigMap }}
checksum/{{ . }}: {{ (lookup "v1" "ConfigMap" $.Release.Namespace .).data | toJson | sha256sum }}
{{- end }}
{{- end }}

{{- define "govern.keysVolumes" -}}
- name: secret
  secret: { secretName: {{ .Values.secrets.keys | quote }}, defaultMode: 0440 }
- name: keys
  emptyDir: { medium: Memory, sizeLimit: 1Mi }
- name: tmp
  emptyDir: {}
{{- if .Values.caConfigMap }}
- name: ca
  configMap: { name: {{ .Values.caConfigMap | quote }} }
{{- end }}
{{- end }}
