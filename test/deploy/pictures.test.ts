import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { dashboards } from '../../deploy/grafana/dashboards.ts'
import { sheetOf } from '../../deploy/pictures/draw.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { promtoolMissing } from './tools.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = dashboards.map(({ name }) => `${name}.svg`).sort()

describe('the pictures', () => {
  it('are there for each dashboard, with each of its panels', () => {
    expect(
      readdirSync(join(root, 'deploy/pictures'))
        .filter((name) => name.endsWith('.svg'))
        .sort(),
    ).toEqual(files)
    for (const { name, panels } of dashboards) {
      const text = readFileSync(join(root, `deploy/pictures/${name}.svg`), 'utf8')
      for (const { title } of panels) expect(text).toContain(`>${title}</text>`)
    }
  })

  it('show values at their heights, and names without harm', () => {
    const points = [0, 5, 10].map((value, at) => [at, value] as const)
    const drawn = [{ title: 'a < b', unit: 's', series: [{ legend: '<script>', points }] }]
    const sheet = sheetOf('One & all', drawn, 2)
    expect(sheet).toContain('One &amp; all')
    expect(sheet).not.toMatch(/<script>|a < b/)
    const [, line = ''] = /points="([^"]+)"/.exec(sheet) ?? []
    const heights = line.split(' ').map((place) => Number(place.split(',')[1]))
    expect(heights.toSorted((a, b) => b - a)).toEqual(heights)
    expect(new Set(heights).size).toBe(3)
  })
})

describeWith(promtoolMissing, 'a real Prometheus', () => {
  it('has data for every query of every panel, and all that is recorded', () => {
    const scratch = scratchDirectory()
    const words = ['--run', 'pictures', '--seconds', '25', '--out', scratch.path]
    const { status, stdout } = spawnSync('node', [join(root, 'src/start.js'), ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const made = readdirSync(scratch.path).sort()
    scratch.remove()
    expect(stdout.split('\n').filter((line) => line.startsWith('no data'))).toEqual([])
    expect([status, made]).toEqual([0, files])
  })
})
