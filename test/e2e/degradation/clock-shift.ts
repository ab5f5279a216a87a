// Loaded in front of the server (`node --import`), into each of its threads: shifts the clock by as
// many ms as the file CLOCK_SHIFT says.
import { readFileSync } from 'node:fs'

const file = process.env['CLOCK_SHIFT'] ?? ''
const realNow = Date.now.bind(Date)
const RealDate = Date

Date.now = () => realNow() + shift()
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [Date.now()] : given, made) as object,
})

function shift(): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}
