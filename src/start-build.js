// The build, for start.js: the compiler's output in dist/, what it leaves alone, and the checks of all
// schemas as code, bundled. It uses Node's own modules only.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'

/** What a command runs of, and with it what the tools run of. */
const programFolders = ['src', 'workers']
const sourceFolders = [...programFolders, 'bench', 'test', 'deploy']
const stampOf = (root) => join(root, 'dist/.sluice')

/** Whether dist/ is what the sources are now; of a command's, or of the tools' as well. */
export function isBuilt(root, withTools) {
  const [ofPrograms, ofAll] = (read(stampOf(root)) ?? '').split('\n')
  const same = withTools
    ? ofAll === buildDigest(root, sourceFolders)
    : ofPrograms === buildDigest(root, programFolders)
  return same && existsSync(join(root, 'dist/src/main.js'))
}

/** Sizes and times of all sources: cheap to read, and a change of either builds again. */
function buildDigest(root, folders) {
  const files = ['package-lock.json', 'tsconfig.json', ...sources(root, folders)]
  const lines = files.map((path) => {
    const { size, mtimeMs } = lstatSync(`${root}/${path}`)
    return `${path} ${size} ${mtimeMs}`
  })
  return digest(lines.join('\n'))
}

function sources(root, folders) {
  return folders.flatMap((folder) => filesIn(root, folder)).sort()
}

/** Their paths from the root. Each start lists all of them, and so normalises none of the paths. */
function filesIn(root, folder) {
  return existsSync(`${root}/${folder}`) ? filesBelow(root, folder, []) : []
}

function filesBelow(root, folder, found) {
  for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) filesBelow(root, path, found)
    else found.push(path)
  }
  return found
}

/**
 * Builds everything. `runNode` runs a script of Node and answers its status, or throws where the start
 * was stopped.
 */
export async function build(root, runNode) {
  const dist = join(root, 'dist')
  // What changes during the build is built by the next start.
  const wanted = [programFolders, sourceFolders].map((folders) => buildDigest(root, folders))
  if (!existsSync(join(dist, 'src/main.js'))) rmSync(dist, { recursive: true, force: true })
  // Types are what `npm run check` checks: they are most of the compiler's work.
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await runNode(compiler, '-p', 'tsconfig.json', '--noCheck')
  if (compiled !== 0) throw new Error('The build failed: see its message above.')
  removeOrphans(root)
  if ((await runNode(join(root, 'src/start-assembly.js'))) !== 0) {
    throw new Error('What takes bodies could not be compiled: see the message above.')
  }
  for (const path of sources(root, sourceFolders).filter(isAsset))
    cpSync(join(root, path), join(dist, path))
  if ((await runNode(join(dist, 'src/main-schemas.js'))) !== 0) {
    throw new Error('The schemas could not be compiled: see the message above.')
  }
  rmSync(join(dist, 'run'), { recursive: true, force: true })
  if ((await runNode(join(root, 'src/start-bundle.js'))) !== 0) {
    throw new Error('The modules could not be bundled: see the message above.')
  }
  // Where no PostgreSQL can run, there is none: then a new data directory makes its own.
  await runNode(join(dist, 'src/main-cluster.js'))
  writeFileSync(stampOf(root), wanted.join('\n'))
}

/** What the compiler leaves alone and the code reads at run time, such as migrations. */
function isAsset(path) {
  const isCode = path.startsWith('src/pages/console/app/') || /\.(?:ts|js|md)$/.test(path)
  return path.startsWith('src/') && (path.startsWith('src/pages/docs/') || !isCode)
}

/** What was built from deleted sources: a deleted migration must not be applied. */
function removeOrphans(root) {
  for (const path of sourceFolders.flatMap((folder) => filesIn(root, join('dist', folder)))) {
    const source = relative('dist', path).replace(/\.js(\.map)?$/, '.ts')
    if (!existsSync(join(root, source))) rmSync(join(root, path))
  }
}

export function digest(text) {
  return createHash('sha256').update(text).digest('hex')
}

export function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
