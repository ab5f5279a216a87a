import { existsSync, readFileSync } from 'node:fs'
import { limits } from '../../../limits.ts'
import type { Mode } from '../../../rules/meter/meter.ts'
import type { EventOwner, FingerprintPrefix } from '../../../std/fingerprint.ts'
import type { Instant } from '../../../std/instant.ts'
import { instantOf } from '../../../std/instant.ts'
import type { Timestamps } from '../timestamp.ts'
import { rememberedTexts } from './texts.ts'

/** Whose events they are, and when they came. */
export interface Receipt {
  readonly businessId: string
  readonly mode: Mode
  /** The business's time. */
  readonly at: Instant
}

/**
 * What looks at each byte of a body (assembly/), and whose memory holds one body at a time: what it
 * says of one is to be read before it takes the next.
 */
export interface BodyTaker {
  /** How many events the body has; 0: it is for the parser. */
  take(bytes: Uint8Array, receipt: Receipt): number
  /** How many customers those events are of, and who each of them is. */
  customers(): number
  customer(index: number): string
  /**
   * A copy of what is known of the events, in the order of their lines: three words of each one's
   * fingerprint, then each one's partition, then where each one's line ends.
   */
  facts(count: number): Uint32Array
  /** A copy of the lines: those of one partition stand together, in the order of the body. */
  lines(): Uint8Array
}

export interface BodyTakerNeeds {
  readonly partitions: number
  readonly prefixOf: (owner: EventOwner) => FingerprintPrefix
  readonly timestamps: Timestamps
}

/** The words of an event among the facts. */
const factWords = 5

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  prepare(): void
  boundsAt(): number
  requestAt(): number
  startAt(): number
  startBytesMax(): number
  prefixAt(): number
  factsAt(): number
  customersAt(): number
  customerCount(): number
  linesAt(): number
  linesLength(): number
  bodyAt(bytes: number, events: number, startBytes: number): number
  take(bytes: number): number
}

export function bodyTaker({ partitions, prefixOf, timestamps }: BodyTakerNeeds): BodyTaker {
  const host = {
    /** NaN: there is none, or it lies too far from today for a double to hold each microsecond. */
    instantOf(from: number, end: number): number {
      const at = timestamps.read(memory().bytes.toString('latin1', from, end))
      return at !== null && Number.isSafeInteger(at) ? at : Number.NaN
    },
    writeSecond(at: number, into: number): void {
      memory().bytes.write(timestamps.write(instantOf(at)), into, toTheFraction, 'latin1')
    },
  }
  const own = instantiated({ host })
  prepare(own, partitions)
  const at = {
    request: own.requestAt() / 8,
    start: own.startAt(),
    prefix: own.prefixAt() / 4,
    facts: own.factsAt() / 4,
    customers: own.customersAt() / 4,
  }
  const startMax = own.startBytesMax()
  const texts = rememberedTexts(4_096)
  let views = viewsOf(own.memory.buffer)
  let [ofBusiness, ofMode, startBytes] = ['', '', 0]
  let prefix: FingerprintPrefix = { state: new Int32Array(8), bytes: 0 }
  return { take, customers: own.customerCount, customer, facts, lines }

  function take(bytes: Uint8Array, receipt: Receipt): number {
    const { at: now, businessId, mode } = receipt
    if (businessId !== ofBusiness || mode !== ofMode) begin(businessId, mode)
    const body = startBytes > startMax ? 0 : roomFor(bytes)
    if (body === 0) return 0
    const { bytes: all, doubles, words } = memory()
    all.set(bytes, body)
    doubles[at.request] = now
    doubles[at.request + 1] = now - limits.eventAgeMax
    doubles[at.request + 2] = now + limits.eventLeadMax
    words[2 * (at.request + 3)] = startBytes
    words[2 * (at.request + 3) + 1] = prefix.bytes
    return own.take(bytes.length)
  }

  function roomFor(bytes: Uint8Array): number {
    const events = Math.min(limits.eventsPerRequestMax, bytes.length / eventBytesMin)
    return own.bodyAt(bytes.length, events, startBytes)
  }

  /** The beginning that all lines of a business share, and what stands for it in fingerprints. */
  function begin(businessId: string, mode: Mode): void {
    const start = Buffer.from(
      `{"business_id":${JSON.stringify(businessId)},"mode":"${mode}","event_id":"`,
    )
    prefix = prefixOf({ businessId, mode })
    const { bytes, words } = memory()
    // The upper half of each comes first here, and last there.
    prefix.state.forEach((word, place) => {
      words[at.prefix + (place ^ 1)] = word
    })
    if (start.length <= startMax) bytes.set(start, at.start)
    ;[ofBusiness, ofMode, startBytes] = [businessId, mode, start.length]
  }

  function customer(index: number): string {
    const { bytes, words } = memory()
    const span = at.customers + index * 2
    return texts.read(bytes, words[span] as number, words[span + 1] as number)
  }

  function facts(count: number): Uint32Array {
    return memory().words.slice(at.facts, at.facts + count * factWords)
  }

  function lines(): Uint8Array {
    const from = own.linesAt()
    const made = Buffer.allocUnsafe(own.linesLength())
    memory().bytes.copy(made, 0, from, from + made.length)
    return made
  }

  /** Memory that has grown is another buffer. */
  function memory(): Views {
    if (views.buffer !== own.memory.buffer) views = viewsOf(own.memory.buffer)
    return views
  }
}

function prepare(own: Exports, partitions: number): void {
  const bounds = [
    limits.eventsPerRequestMax,
    limits.eventTextMax,
    limits.metadataKeysMax,
    limits.metadataKeyMax,
    limits.metadataValueMax,
    partitions,
  ]
  viewsOf(own.memory.buffer).words.set(bounds, own.boundsAt() / 4)
  own.prepare()
}

const toTheFraction = 'yyyy-mm-ddThh:mm:ss.'.length
/** No event is shorter. */
const eventBytesMin = '{"event_id":"i","customer_id":"c","event_name":"n"}'.length

interface Views {
  readonly buffer: ArrayBuffer
  readonly bytes: Buffer
  readonly words: Uint32Array
  readonly doubles: Float64Array
}

const viewsOf = (buffer: ArrayBuffer): Views => ({
  buffer,
  bytes: Buffer.from(buffer),
  words: new Uint32Array(buffer),
  doubles: new Float64Array(buffer),
})

/** What Node has, and its types leave to those of browsers. */
interface Assemblies {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

const { WebAssembly: assemblies } = globalThis as unknown as { WebAssembly: Assemblies }
let compiled: object | null = null

function instantiated(imports: object): Exports {
  compiled ??= new assemblies.Module(readFileSync(built()))
  return new assemblies.Instance(compiled, imports).exports as Exports
}

/** The build lies beside the compiled modules. Suites run the sources, and find it there. */
function built(): URL {
  const beside = new URL('../../../../assembly/taking.wasm', import.meta.url)
  if (existsSync(beside)) return beside
  return new URL('../../../../dist/assembly/taking.wasm', import.meta.url)
}
