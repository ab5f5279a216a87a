import { createGenerations } from '../../src/parts/dedupe/embedded/generations.ts'
import { hour, instantOf } from '../../src/std/instant.ts'

/**
 * Prints what CPU time it costs to add and to look up an id, with three full generations, and bytes
 * an id.
 */
const count = Number(process.argv[2] ?? 200_000)
let bytes = 0
const generations = createGenerations({
  windowUs: 24 * hour,
  newest: null,
  announce: (_, segment) => {
    bytes += segment.byteLength
  },
  dropped: () => undefined,
})
const random = new Uint32Array(count * 8)
let state = 1
for (let index = 0; index < random.length; index += 1) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  random[index] = (state ^ (state >>> 13)) * 2_654_435_761
}
for (let generation = 0; generation < 3; generation += 1) {
  generations.advance(instantOf(generation * 12 * hour))
  const ids = random.subarray(generation * count * 2, (generation + 1) * count * 2)
  const started = process.cpuUsage().user
  for (let at = 0; at < ids.length; at += 2_000) {
    generations.add(generation, ids.subarray(at, at + 2_000))
  }
  report(`add, generation ${generation}`, started)
}
for (const [name, from] of [
  ['known', count * 2],
  ['unknown', count * 6],
] as const) {
  const started = process.cpuUsage().user
  const known = generations.known(random.subarray(from, from + count * 2))
  report(`${name}: ${known.reduce((sum, one) => sum + one, 0)} found`, started)
}
console.log(`${(bytes / generations.count()).toFixed(1)} bytes an id, ${generations.count()} ids`)

function report(name: string, started: number): void {
  const nanoseconds = ((process.cpuUsage().user - started) * 1e3) / count
  console.log(`${name}: ${nanoseconds.toFixed(0)} ns an id`)
}
