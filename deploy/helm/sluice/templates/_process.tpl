{{/* A deployment of (root, component, own values, roles). It has as long to end as it goes on serving, 10 s
in which every role ends, and 5 s to spare. */}}
{{- define "sluice.process" -}}
{{- $own := .own -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "sluice.fullname" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "sluice.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not .scaled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  # One after the other: neighbouring releases run side by side.
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels:
      {{- include "sluice.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      labels:
        {{- include "sluice.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
      {{- with $own.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "sluice.podSecurity" .root | nindent 6 }}
      terminationGracePeriodSeconds: {{ add $own.drainSeconds 15 }}
      containers:
        - name: {{ .component }}
          image: {{ include "sluice.image" .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [serve, --roles, {{ .roles | quote }}]
          ports:
            {{- if eq .component "gateway" }}
            - { name: test, containerPort: 8080 }
            - { name: live, containerPort: 8081 }
            {{- end }}
            - { name: ops, containerPort: 9464 }
          {{- include "sluice.settings" .root | nindent 10 }}
          {{- include "sluice.probes" .root | nindent 10 }}
          {{- if gt (int $own.drainSeconds) 0 }}
          lifecycle:
            preStop:
              sleep: { seconds: {{ $own.drainSeconds }} }
          {{- end }}
          resources: {{- toYaml $own.resources | nindent 12 }}
          {{- include "sluice.containerSecurity" .root | nindent 10 }}
          {{- include "sluice.mounts" .root | nindent 10 }}
      {{- include "sluice.volumes" .root | nindent 6 }}
      {{- include "sluice.spread" (dict "root" .root "component" .component) | nindent 6 }}
      {{- with $own.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}
