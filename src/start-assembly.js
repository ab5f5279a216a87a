// Compiles what looks at each byte of a body to WebAssembly, as a step of the build, where its
// sources are newer. [src/edge/ingest/scanned/README.md]
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
// AssemblyScript: WebAssembly from what every reader of TypeScript can read.
import { main } from 'assemblyscript/asc'

const own = fileURLToPath(import.meta.url)
const root = dirname(dirname(own))
const first = 'src/edge/ingest/scanned/assembly/taking.ts'
const made = 'dist/assembly/taking.wasm'

if (!isNew()) {
  const features = ['--enable', 'simd', '--enable', 'bulk-memory', '--runtime', 'stub']
  // It claims its memory once, and nothing in it aborts.
  const how = ['-O3', '--noAssert', '--use', 'abort=', ...features]
  const { error, stderr } = await main([first, '--baseDir', root, '-o', made, ...how])
  if (error !== null) {
    process.stderr.write(`${stderr.toString()}${error.message}\n`)
    process.exitCode = 1
  }
}

function isNew() {
  const folder = join(root, dirname(first))
  const sources = [...readdirSync(folder).map((name) => join(folder, name)), own]
  const newest = Math.max(...sources.map((path) => statSync(path).mtimeMs))
  return existsSync(join(root, made)) && statSync(join(root, made)).mtimeMs > newest
}
