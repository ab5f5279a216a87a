// Downloads the official build of uWebSockets.js, which the npm registry does not have. Only the
// speed of HTTP depends on it: where it cannot be had, another HTTP engine serves. Uses Node's own
// modules only, like start.js. [machines#the-http-engine]
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * By the ABI of the Node versions that they are built for: 20, 22, 24 and 26. A tag could be moved,
 * and we have neither its commit nor digests from the repository itself. So the digest of the first
 * binary that loads is written down beside it, and other bytes are refused from then on.
 */
const tags = { 115: 'v20.51.0', 127: 'v20.69.0', 137: 'v20.69.0', 147: 'v20.69.0' }
const repository = 'https://github.com/uNetworking/uWebSockets.js'
/** For everything together: names, connections, redirects, bytes. */
const fetchMs = 20_000
const loadMs = 10_000
/** After how long the set-up tries again what failed. */
const retryMs = 3_600_000
const fetching = fileURLToPath(new URL('start-engine-fetch.js', import.meta.url))
const loading =
  'const m = { exports: {} }; process.dlopen(m, process.argv[1]); m.exports.App(); process.exit()'

/** The package of the npm registry with a binary for this Node; it exists for 20 and 22. */
export const prebuilt = () =>
  `@uwsjs/${process.platform}-${process.arch}-${process.versions.node.split('.')[0]}`

/**
 * Whether the engine is there, is not wanted, or could not be had a short while ago. Throws like
 * `bringEngine`.
 */
export function isEngineSettled(root) {
  const wanted = wantedEngine(root)
  if (wanted === null) return true
  const stamp = read(wanted)
  if (stamp === null || stamp.tag !== wanted.tag || stamp.from !== wanted.from) return false
  if (stamp.why === null) return isWhole(wanted.binary, stamp.sha256)
  return Math.abs(Date.now() - stamp.at) < retryMs
}

/**
 * Downloads, checks and tries the engine, and says in one line which engine there is. `track` is
 * called with every child process, so that signals reach it. Does not throw because of the network
 * or a disk; throws an Error with `status` 2 for an address that cannot work.
 */
export async function bringEngine(root, { say, track, withinMs = fetchMs }) {
  const wanted = wantedEngine(root)
  const { tag, from, binary } = wanted
  const old = read(wanted)
  let sha256 = old?.tag === tag ? old.sha256 : null
  const partial = `${binary}.${process.pid}`
  const ours = isWhole(binary, sha256)
  let why = null
  try {
    mkdirSync(wanted.folder, { recursive: true })
    if (!ours)
      why = await fetched(`${from}/raw/${tag}/${wanted.name}`, partial, { track, withinMs })
    const came = why === null && !ours ? digestOf(partial) : sha256
    if (why === null && sha256 !== null && came !== sha256) {
      why = `what came has the SHA-256 ${came}, and what came before had ${sha256}`
    }
    why ??= await loaded(ours ? binary : partial, track)
    if (why === null && !ours) {
      sha256 = came
      renameSync(partial, binary)
    }
    // Written whole or not at all, and after the binary, since other processes may look meanwhile.
    writeFileSync(`${partial}.json`, JSON.stringify({ tag, from, sha256, why, at: Date.now() }))
    renameSync(`${partial}.json`, wanted.stamp)
  } catch (error) {
    if (error.stopped) return
    why ??= error.message
  } finally {
    remove(partial)
  }
  if (why === null) return say(`HTTP engine: uWebSockets.js ${tag}, the official build`)
  const instead = existsSync(join(root, 'node_modules', prebuilt())) ? prebuilt() : 'node:http'
  say(`HTTP engine: ${instead}. The official uWebSockets.js ${tag} cannot be had: ${why}`)
}

/** The binary that this Node would load; null where nothing must be downloaded. */
function wantedEngine(root) {
  const { platform, arch, versions } = process
  const from = (process.env.HTTP_ENGINE_FROM ?? repository).replace(/\/+$/, '')
  if (from === 'off') return null
  checkAddress(from)
  const tag = tags[versions.modules]
  const has = (name) => existsSync(join(root, 'node_modules', name, 'package.json'))
  if (tag === undefined || has('uWebSockets.js')) return null
  // The prebuilt binary for this Node is of the same age, and as good.
  if (versions.modules === '115' && has(prebuilt())) return null
  const folder = join(root, '.engine')
  const file = `uws_${platform}_${arch}_${versions.modules}`
  const [binary, stamp] = [join(folder, `${file}.node`), join(folder, `${file}.json`)]
  return { tag, from, name: `${file}.node`, folder, binary, stamp }
}

/** The binary will run with our rights, so nobody on the way must be able to change it. */
function checkAddress(from) {
  const url = URL.canParse(from) ? new URL(from) : null
  const here = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && here)) return
  const what = "'off' or an https address (http on this machine alone)"
  const sentence = `HTTP_ENGINE_FROM must be ${what}, not '${from}'.`
  throw Object.assign(new Error(sentence), { status: 2 })
}

/**
 * Null, or why it could not be downloaded. In a child process, because a hanging name server would
 * delay our end.
 */
async function fetched(url, path, { track, withinMs }) {
  const { status, said } = await child([fetching, url, path], { track, withinMs })
  if (status === 0) return null
  return said === '' ? `${url} did not come within ${withinMs / 1_000} s` : said
}

/**
 * Null, or why it cannot be loaded. In a child process, because a binary for another platform may
 * crash it.
 */
async function loaded(path, track) {
  const { status, said } = await child(['-e', loading, path], { track, withinMs: loadMs })
  if (status === 0) return null
  const line =
    said.split('\n').find((each) => /^\w*Error: /.test(each)) ?? `it ended with ${status}`
  return `it cannot be loaded here (${line.replace(/^\w*Error: /, '').replaceAll(path, 'it')})`
}

function child(words, { track, withinMs }) {
  return new Promise((done, failed) => {
    const stdio = ['ignore', 'ignore', 'pipe']
    // Newer Node versions use a proxy of the environment only if told to.
    const env = { ...process.env, NODE_USE_ENV_PROXY: '1' }
    const one = spawn(process.execPath, words, { stdio, env })
    track(one)
    let said = ''
    one.stderr.on('data', (bytes) => {
      said = `${said}${bytes}`.slice(0, 4_096)
    })
    const timer = setTimeout(() => one.kill('SIGKILL'), withinMs)
    one.once('error', ({ message }) => ended(1, message))
    one.once('close', (status, signal) => ended(status ?? signal, said.trim()))
    function ended(status, text) {
      clearTimeout(timer)
      track(null)
      if (status === 'SIGTERM' || status === 'SIGINT') {
        failed(Object.assign(new Error('Stopped.'), { stopped: true }))
      } else done({ status, said: text })
    }
  })
}

function remove(path) {
  try {
    rmSync(path, { force: true })
  } catch {
    // Ignored: the folder does not exist.
  }
}

const isWhole = (path, sha256) => existsSync(path) && digestOf(path) === sha256

const digestOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

function read({ stamp }) {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8'))
  } catch {
    return null
  }
}
