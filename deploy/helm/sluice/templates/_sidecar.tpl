{{/* For the pod of a program that meters: a container that starts before it and ends after it. Other charts
include it, too: {{ include "sluice.sidecar" . }} under spec of the pod. */}}
{{- define "sluice.sidecar" -}}
{{- $upstream := printf "http://%s-gateway.%s:8081" (include "sluice.fullname" .) .Release.Namespace -}}
{{- with .Values.sidecar -}}
initContainers:
  - name: sluice-sidecar
    image: {{ include "sluice.image" $ }}
    imagePullPolicy: {{ $.Values.image.pullPolicy }}
    restartPolicy: Always
    args: [sidecar]
    env:
      # Fewer threads, and so less memory.
      - { name: NODE_OPTIONS, value: '--v8-pool-size=1' }
      - { name: SIDECAR_UPSTREAM, value: {{ .upstream | default $upstream | quote }} }
      - { name: SIDECAR_KEY_FILE, value: /run/sluice/{{ .key.key }} }
      - { name: SPOOL_DIR, value: /spool }
      - { name: SPOOL_MAX, value: {{ .spool.max | quote }} }
      - { name: OPS_HOST, value: 0.0.0.0 }
      - { name: OPS_PORT, value: '9465' }
    ports:
      - { name: sluice-ops, containerPort: 9465 }
    # The program starts when it can send.
    startupProbe:
      httpGet: { path: /readyz, port: sluice-ops }
      periodSeconds: 1
      timeoutSeconds: 3
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /healthz, port: sluice-ops }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    resources: {{- toYaml .resources | nindent 6 }}
    {{- include "sluice.containerSecurity" $ | nindent 4 }}
    volumeMounts:
      - { name: sluice-spool, mountPath: /spool }
      - { name: sluice-key, mountPath: /run/sluice, readOnly: true }
volumes:
  # As old as the pod: what the gateway does not have when a pod is deleted goes with it. A claim of a
  # StatefulSet in its place outlives the pod.
  - { name: sluice-spool, emptyDir: { sizeLimit: {{ .spool.size }} } }
  - name: sluice-key
    secret: { secretName: {{ .key.secret }}, defaultMode: 0444 }
{{- end -}}
{{- end -}}
