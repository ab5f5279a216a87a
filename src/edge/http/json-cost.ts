import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'

const [quote, backslash, comma, colon] = [34, 92, 44, 58]
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]

/**
 * Throws INVALID_REQUEST_BODY for JSON that would hold everybody up while it is parsed, and that no
 * schema allows: nested too deeply, or with too many entries in one list or object, lists and
 * objects in all, or names. A name that the process has not met costs most, some 5 µs: 3.5 MB of
 * small objects of such names take 1.5 s. What is no JSON at all passes, or is refused for one of
 * these. [requests#refusals]
 */
export function refuseCostly(bytes: Uint8Array): void {
  const { jsonDepthMax, jsonEntriesMax, jsonNamesMax, jsonOpenedMax } = limits
  // Of each list or object that is open, how many commas stood in it.
  const commas = new Uint32Array(jsonDepthMax + 1)
  let [depth, opened, names, inString] = [0, 0, 0, false]
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (inString) {
      if (byte === backslash) index += 1
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === comma) {
      const of = (commas[depth] ?? 0) + 1
      commas[depth] = of
      if (of >= jsonEntriesMax) {
        throw costly(`A list or an object of the body has more than ${jsonEntriesMax} entries`)
      }
    } else if (byte === colon) {
      names += 1
      if (names > jsonNamesMax) throw costly(`The body has more than ${jsonNamesMax} names`)
    } else if (byte === openList || byte === openObject) {
      depth += 1
      opened += 1
      if (opened > jsonOpenedMax)
        throw costly(`The body has more than ${jsonOpenedMax} lists and objects`)
      if (depth > jsonDepthMax)
        throw costly(`The body is nested deeper than ${jsonDepthMax} levels`)
      commas[depth] = 0
    } else if (byte === closeList || byte === closeObject) depth = Math.max(0, depth - 1)
  }
}

const costly = (what: string): Fault =>
  new Fault('INVALID_REQUEST_BODY', `${what}, which no request may have.`)
