import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { Fault } from '../../faults.ts'
import { tooLarge } from './slab.ts'

/** A file as a form sends it. */
export interface UploadedFile {
  /** As its sender calls it; null: it has no name. */
  readonly fileName: string | null
  readonly mediaType: string
  /** Once. Throws the fault REQUEST_TOO_LARGE behind the last byte that is allowed. */
  readonly content: AsyncIterable<Uint8Array>
}

/** What a form with a file brings besides the file itself, so that it may be a little larger. */
export const formBytes = 64 * 1024

/**
 * Reads a form with exactly one file, which `keep` reads while it comes. What `keep` answers is
 * returned only when all of the form has come, and is well-formed.
 *
 * @throws Fault 413, 415 for what is no such form, 422 for one without a file, with two, or cut
 * short; and what `keep` or `body` throws
 */
export async function readMultipart<T>(
  body: AsyncIterable<Uint8Array>,
  of: {
    readonly header: (name: string) => string | null
    readonly bytesMax: number
    readonly keep: (file: UploadedFile) => Promise<T>
  },
): Promise<T> {
  const parser = parserOf(of)
  const giveUp = new AbortController()
  let file: Readable | null = null
  let kept: Promise<T> | null = null
  let problem: Fault | null = null
  parser.on('file', (_, stream, name, __, mediaType) => {
    file = stream
    // It may fail before `keep` begins to read it, which then finds the failure.
    stream.on('error', () => undefined)
    const content = contentOf(stream, of.bytesMax)
    kept = of.keep({ fileName: printable(name), mediaType, content })
    // A disk that fails leaves nobody to read the rest.
    kept.catch((error: unknown) => {
      giveUp.abort(error)
      stream.resume()
    })
  })
  parser.on('filesLimit', () => {
    problem = wrong('The form must hold one file, and no more.')
  })
  try {
    await pipeline(Readable.from(body, { objectMode: false }), parser, { signal: giveUp.signal })
  } catch (error) {
    const cause = giveUp.signal.aborted ? (giveUp.signal.reason as unknown) : error
    const told = cause instanceof Fault ? cause : malformed(cause)
    ;(file as Readable | null)?.destroy(told instanceof Error ? told : undefined)
    await (kept as Promise<T> | null)?.catch(() => undefined)
    throw told
  }
  if (kept === null) throw wrong('The form must hold a file: a part with a file name.')
  const answer = await (kept as Promise<T>)
  if (problem !== null) throw problem as Fault
  return answer
}

function parserOf({ header, bytesMax }: Parameters<typeof readMultipart>[1]) {
  const type = header('content-type') ?? ''
  const coding = header('content-encoding') ?? 'identity'
  if (!/^multipart\/form-data\s*;/i.test(type) || coding !== 'identity') {
    throw new Fault(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be a form: Content-Type: multipart/form-data, with a boundary.',
    )
  }
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { files: 1, fields: 20, fieldSize: formBytes, parts: 21, fileSize: bytesMax },
    })
  } catch (error) {
    throw malformed(error)
  }
}

async function* contentOf(
  stream: Readable & { readonly truncated: boolean },
  bytesMax: number,
): AsyncIterable<Uint8Array> {
  yield* stream as AsyncIterable<Uint8Array>
  if (stream.truncated) throw tooLarge(bytesMax)
}

const wrong = (problem: string): Fault => new Fault('INVALID_REQUEST_BODY', problem)

/** Errors of the machine stay what they are. */
const malformed = (error: unknown): unknown =>
  error instanceof Error && 'code' in error
    ? error
    : new Fault('INVALID_REQUEST_BODY', 'The form is cut short, or is none.', { cause: error })

/** Without what no file's name should hold. */
function printable(name: string | undefined): string | null {
  const text = [...(name ?? '')].filter((each) => !/[\p{Cc}\p{Cs}/\\]/u.test(each)).join('')
  return text === '' ? null : text
}
