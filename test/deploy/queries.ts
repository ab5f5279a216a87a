import {
  edgeMetrics,
  engineMetrics,
  mergeExpositions,
  sidecarMetrics,
} from '../../src/runtime/metrics.ts'

/** What one server and one sidecar answer to a scrape, before anything has happened. */
export async function expositions(): Promise<readonly string[]> {
  const server = [await edgeMetrics().text(), await engineMetrics().text()]
  return [mergeExpositions(server), await sidecarMetrics().text()]
}

/** Names of all series that there are: a histogram has three. */
export async function knownSeries(): Promise<ReadonlySet<string>> {
  const text = (await expositions()).join('\n')
  return new Set(
    [...text.matchAll(/^# TYPE (\S+) (\w+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

/** Names of the series that a query asks for. */
export const seriesIn = (query: string): readonly string[] =>
  [
    ...query
      .replace(/"(?:\\.|[^"])*"/g, '""')
      .matchAll(/\b(?:sluice(?:_|:)|process_|nodejs_)[\w:]+|\bup\b/g),
  ].map(([name]) => name)
