#!/bin/sh
# Fetches the jars of Apache Kafka 4.1.0 from Maven Central, once, and prints the folder that they are
# in: what TEST_KAFKA_JARS wants. Needs mvn and java 17. Usage: kafka-jars.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/sluice-kafka-4.1.0}

# A folder is believed when it has every jar, and Kafka itself starts from it.
whole() {
  [ "$(find "$1" -name '*.jar' 2>/dev/null | wc -l)" = 93 ] &&
    java -cp "$1/*" kafka.Kafka --version 2>/dev/null | grep -q '^4\.1\.0'
}

if ! command -v java >/dev/null; then
  echo 'Java 17 is needed to run Kafka: apt-get install openjdk-17-jre-headless' >&2
  exit 1
fi
if ! whole "$folder"; then
  if ! command -v mvn >/dev/null; then
    echo "Maven is needed to fetch Kafka's jars: apt-get install maven" >&2
    exit 1
  fi
  echo "Fetching Kafka's jars into $folder" >&2
  mkdir -p "$(dirname "$folder")"
  # Aside, then moved into place: what is there is whole, also after a Ctrl-C.
  aside=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$aside"' EXIT
  trap 'exit 130' INT TERM
  plugin=org.apache.maven.plugins:maven-dependency-plugin:2.8
  for try in 1 2 3; do
    mvn -q -B -f "$here/kafka-pom.xml" "$plugin:copy-dependencies" \
      -DoutputDirectory="$aside/jars" >&2 && break
    echo "Maven failed, try $try of 3." >&2
    sleep 2
  done
  if ! whole "$aside/jars"; then
    echo "Maven Central did not give all of Kafka's 93 jars: see its messages above." >&2
    exit 1
  fi
  rm -rf "$folder"
  mv "$aside/jars" "$folder"
fi
echo "$folder"
