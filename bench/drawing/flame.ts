import { escaped } from './svg.ts'

/** A CPU profile as `--cpu-prof` writes it. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
    }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  /** Of each sample, in microseconds. */
  readonly timeDeltas: readonly number[]
}

/** A function at one place of the stack, with all that it has called. */
interface Frame {
  readonly name: string
  readonly place: string
  micros: number
  readonly callers: Map<string, Frame>
}

const [width, height, deepest] = [1_200, 15, 40]
/** Narrower than this share of the whole nothing is drawn. */
const shareMin = 0.002

/** A flame graph: each function as wide as the time in which it was on the stack; no idling. */
export function flameOf({ nodes, samples, timeDeltas }: CpuProfile, title: string): string {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id] as const)),
  )
  const whole: Frame = { name: 'all', place: '', micros: 0, callers: new Map() }
  for (const [index, id] of samples.entries()) {
    const stack = stackOf(id)
    if (stack.at(-1)?.name === '(idle)') continue
    const micros = timeDeltas[index] ?? 0
    let at = whole
    at.micros += micros
    for (const { name, place } of stack) {
      const key = `${name} ${place}`
      const next = at.callers.get(key) ?? { name, place, micros: 0, callers: new Map() }
      next.micros += micros
      at.callers.set(key, next)
      at = next
    }
  }
  return drawn(whole, title)

  /** From the outside in, without the root. */
  function stackOf(sample: number): readonly Pick<Frame, 'name' | 'place'>[] {
    const stack: Pick<Frame, 'name' | 'place'>[] = []
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)?.callFrame
      if (frame === undefined || frame.functionName === '(root)') break
      const { functionName, lineNumber, url } = frame
      const name = functionName === '' ? '(anonymous)' : functionName
      stack.push({ name, place: url === '' ? '' : `${placeOf(url)}:${lineNumber + 1}` })
    }
    return stack.toReversed()
  }
}

/** No path of the machine on which it was taken. */
const placeOf = (url: string): string =>
  url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(?=dist\/)/, '')

function drawn(whole: Frame, title: string): string {
  const boxes: string[] = []
  const depth = draw(whole, { x: 0, level: 0 })
  const all = (depth + 1) * height + 40
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${all}" font-family="sans-serif" font-size="10">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="8" y="20" font-size="14" fill="#0f172a">${escaped(title)}</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n')

  /** Answers how deep it goes. */
  function draw(frame: Frame, at: { readonly x: number; readonly level: number }): number {
    const share = frame.micros / whole.micros
    if (share < shareMin || at.level > deepest) return at.level - 1
    boxes.push(box(frame, { ...at, share }))
    let { x } = at
    let most = at.level
    for (const next of [...frame.callers.values()].sort((a, b) => b.micros - a.micros)) {
      most = Math.max(most, draw(next, { x, level: at.level + 1 }))
      x += (next.micros / whole.micros) * width
    }
    return most
  }
}

function box(
  { name, place }: Frame,
  { level, share, x }: { readonly level: number; readonly share: number; readonly x: number },
): string {
  const [y, wide] = [30 + level * height, share * width]
  const room = Math.floor((wide - 6) / 5.6)
  const text = name.length > room ? `${name.slice(0, Math.max(0, room - 1))}…` : name
  const label =
    room < 3
      ? ''
      : `<text x="${(x + 3).toFixed(1)}" y="${y + 11}" fill="#0f172a">${escaped(text)}</text>`
  const told = `${name}${place === '' ? '' : ` (${place})`}: ${(share * 100).toFixed(1)} %`
  return `<g><title>${escaped(told)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${height - 1}" fill="${colourOf(place)}"/>${label}</g>`
}

/** Ours, of packages, of Node, and of the engine itself. */
function colourOf(place: string): string {
  if (place.startsWith('dist/')) return '#fdba74'
  if (place.startsWith('node:')) return '#a7f3d0'
  return place === '' ? '#e2e8f0' : '#bfdbfe'
}
