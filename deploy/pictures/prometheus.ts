import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEnd } from '../../bench/harness/processes.ts'
import { freePort } from '../../test/support/servers/ports.ts'

/** A real Prometheus that scrapes every second, with the rules of this repository. */
export interface Prometheus {
  /** Every series of a query, each as its labels and its values between two moments (seconds). */
  range(query: string, from: number, to: number): Promise<readonly Found[]>
  stop(): Promise<void>
}

export interface Found {
  readonly labels: Readonly<Record<string, string>>
  readonly values: readonly (readonly [at: number, value: number])[]
}

interface Answer {
  readonly status: string
  readonly error?: string
  readonly data?: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>
      readonly values: readonly (readonly [number, string])[]
    }[]
  }
}

const startMs = 60_000

/** `rules`: the folder of the rules; `targets`: `host:port` by job. */
export async function startPrometheus(
  folder: string,
  rules: string,
  targets: Readonly<Record<string, string>>,
): Promise<Prometheus> {
  const port = await freePort()
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['recording.yaml', 'alerts.yaml'].map((name) => join(rules, name)),
    scrape_configs: Object.entries(targets).map(([job, target]) => ({
      job_name: job,
      static_configs: [{ targets: [target] }],
    })),
  }
  // What reads YAML reads JSON.
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config))
  const address = `127.0.0.1:${port}`
  const words = ['--config.file=prometheus.yaml', '--storage.tsdb.path=data', '--log.level=error']
  const child = spawn('prometheus', [...words, `--web.listen-address=${address}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const forget = onEnd(() => child.kill('SIGKILL'))
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  await untilReady(`http://${address}/-/ready`)
  return { range, stop }

  async function range(query: string, from: number, to: number): Promise<readonly Found[]> {
    const asked = new URLSearchParams({ query, start: `${from}`, end: `${to}`, step: '1' })
    const response = await fetch(`http://${address}/api/v1/query_range?${asked}`)
    const { data, error, status } = (await response.json()) as Answer
    if (status !== 'success' || data === undefined) throw new Error(`${query}: ${error}`)
    return data.result.map(({ metric, values }) => ({
      labels: metric,
      values: values.map(([at, text]) => [at, Number(text)] as const),
    }))
  }

  async function stop(): Promise<void> {
    child.kill('SIGTERM')
    await ended
    forget()
  }
}

async function untilReady(url: string): Promise<void> {
  const deadline = performance.now() + startMs
  for (;;) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok === true) return
    if (performance.now() > deadline) throw new Error('Prometheus does not start.')
    await sleep(200)
  }
}
