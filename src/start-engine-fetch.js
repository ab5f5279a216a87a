// `node start-engine-fetch.js URL PATH`: writes what is at the address into a file, or says why not.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The binaries have some 7 MB. */
const bytesMax = 64 * 1024 * 1024

// The parent process may be gone, and a name server that hangs would outlast every other limit.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20_000).unref()

const [url, path] = process.argv.slice(2)
try {
  await fetchInto(url, path)
} catch (error) {
  process.stderr.write(`${url}: ${error.cause?.message ?? error.message}`)
  process.exitCode = 1
}

async function fetchInto(from, to) {
  const answer = await fetch(from, { headers: { 'Accept-Encoding': 'identity' } })
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  // Redirects are allowed, but not from https to a protocol on which others could change the bytes.
  if (new URL(answer.url).protocol !== new URL(from).protocol) {
    throw new Error(`led to ${answer.url}`)
  }
  const { headers } = answer
  if (!headers.has('content-length') && !headers.has('transfer-encoding')) {
    throw new Error('does not say where it ends')
  }
  await pipeline(Readable.fromWeb(answer.body), bounded, createWriteStream(to))
}

async function* bounded(chunks) {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Error(`is larger than ${bytesMax} bytes`)
    yield chunk
  }
}
