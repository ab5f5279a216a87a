/** A picture of one or several queries. */
export interface Panel {
  readonly title: string
  /** A sentence for who looks at it for the first time. */
  readonly about: string
  readonly unit: Unit
  /** PromQL, and what its series are called: `{{label}}` stands for the value of a label. */
  readonly queries: readonly (readonly [expr: string, legend: string])[]
  /** One number instead of a line. */
  readonly single?: boolean
}

export interface Dashboard {
  /** The name of its file, too. */
  readonly name: string
  readonly title: string
  readonly panels: readonly Panel[]
}

/** Grafana's names of units. */
export type Unit = 'ops' | 'reqps' | 's' | 'percentunit' | 'short' | 'bytes' | 'none'

const height = 8
const columns = 2
const width = 24 / columns

/** A dashboard as Grafana reads it from a file. */
export const grafanaOf = ({ name, title, panels }: Dashboard): object => ({
  uid: `sluice-${name}`,
  title: `Sluice: ${title}`,
  tags: ['sluice'],
  schemaVersion: 41,
  editable: false,
  graphTooltip: 1,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' }],
  },
  panels: panels.map(panelOf),
})

function panelOf(panel: Panel, index: number): object {
  const { about, queries, single = false, title, unit } = panel
  const datasource = { type: 'prometheus', uid: '$datasource' }
  const place = { x: (index % columns) * width, y: Math.floor(index / columns) * height }
  return {
    id: index + 1,
    title,
    description: about,
    type: single ? 'stat' : 'timeseries',
    datasource,
    gridPos: { ...place, w: width, h: height },
    fieldConfig: {
      defaults: { unit, ...(single ? {} : { custom: { fillOpacity: 10, lineWidth: 1 } }) },
      overrides: [],
    },
    options: single
      ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value' }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(([expr, legendFormat], at) => ({
      refId: String.fromCharCode(65 + at),
      datasource,
      expr,
      legendFormat,
    })),
  }
}
