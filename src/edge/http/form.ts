import { isUtf8 } from 'node:buffer'
import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import { isStorable } from '../../std/text.ts'
import type { Head } from './head.ts'

/** The fields of a page's form, by their names; of repeated ones the last counts. */
export type Form = ReadonlyMap<string, string>

/** Throws 415 unless the body is what a browser sends for a form without files. */
export function refuseOtherThanForm(head: Head): void {
  const type = (head.header('content-type') ?? '').toLowerCase().split(';')[0]?.trim()
  if (type === 'application/x-www-form-urlencoded' && head.header('content-encoding') === null)
    return
  throw new Fault(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be a form: Content-Type: application/x-www-form-urlencoded.',
  )
}

/** Throws 422 for what no form of ours sends, and no record could hold. */
export function parseForm(bytes: Buffer): Form {
  if (!isUtf8(bytes)) throw new Fault('INVALID_REQUEST_BODY', 'The form must be in UTF-8.')
  // Counted before it is read, since each field costs about a microsecond.
  if (fieldsOf(bytes) > limits.formFieldsMax) {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      `The form has more than ${limits.formFieldsMax} fields.`,
    )
  }
  const fields = new Map(new URLSearchParams(bytes.toString()))
  const wrong = [...fields].find(([name, value]) => !isStorable(name) || !isStorable(value))
  if (wrong === undefined) return fields
  throw new Fault('INVALID_REQUEST_BODY', 'The form has text that cannot be kept.')
}

/** One more than there are ampersands. */
function fieldsOf(bytes: Buffer): number {
  let fields = 1
  for (let at = bytes.indexOf(0x26); at !== -1; at = bytes.indexOf(0x26, at + 1)) fields += 1
  return fields
}
