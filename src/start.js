#!/usr/bin/env node
// Runs before node_modules exists, so it uses Node's own modules only. Installs and builds what is
// missing, then becomes the command: `node src/start.js COMMAND…` or `--run test`, `check`, `bench`…
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build, digest, isBuilt, read } from './start-build.js'
import { bringEngine, isEngineSettled, prebuilt } from './start-engine.js'

const nodeMajorMin = 20
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lock = join(root, '.preparing')
const stamp = join(root, 'node_modules/.sluice')
/** A lock that was not renewed for this long has lost its process. */
const lockAgeMsMax = 10_000
const stryker = 'node_modules/@stryker-mutator/core/bin/stryker.js'
const onNode = join(root, 'test/support/run/on-node.sh')

/** The child process that is running: it gets every signal, and our exit status is its. */
let child = null
/** The signal that ended the preparation. */
let stopped = null

await main(process.argv.slice(2))

async function main(words) {
  const major = Number(process.versions.node.split('.')[0])
  if (major < nodeMajorMin) {
    end(2, `Sluice needs Node ${nodeMajorMin} or newer, and this is ${process.versions.node}.`)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    // Of what a tool runs, more is built than of a command.
    const isTool = words[0] === '--run'
    await prepare(isTool)
    if (isTool) return await runTool(words[1], words.slice(2))
  } catch (error) {
    const status = error.status ?? 1
    end(stopped === null ? status : 128 + (stopped === 'SIGINT' ? 2 : 15), error.message)
  }
  // From here on signals belong to the command.
  process.off('SIGINT', onSignal)
  process.off('SIGTERM', onSignal)
  await import('../dist/src/main.js')
}

function onSignal(signal) {
  stopped ??= signal
  // A terminal signals the child as well; a signal to this process alone is passed on.
  if (signal === 'SIGTERM') child?.kill(signal)
  else setTimeout((told) => told?.kill(signal), 500, child).unref()
}

// -------------------------------------------------------------------------------- what to run

async function runTool(name, rest) {
  const node = (path, ...more) =>
    run(process.execPath, [join(root, path), ...more, ...rest], 'inherit')
  const vitest = 'node_modules/vitest/vitest.mjs'
  const suites = ['run', '--config', 'test/vitest.config.ts']
  switch (name) {
    case 'test':
      if (rest[0] === '--node') return end(await run(onNode, rest.slice(1), 'inherit'))
      if (rest.length > 0 && rest[0] !== '--again') return end(await node(vitest, ...suites))
      return end(await node('dist/test/all.js'))
    case 'alerts':
    case 'bench':
    case 'capacity':
    case 'pictures':
      return end(await node(`dist/${name === 'bench' ? name : `deploy/${name}`}/main.js`))
    case 'chaos':
    case 'fuzz':
    case 'simulate':
      return end(await node(`dist/test/${name === 'simulate' ? 'simulation' : name}/main.js`))
    case 'mutate':
      return end(await node(stryker, 'run', 'test/mutation/stryker.json'))
    case 'check': {
      const compiler = 'node_modules/typescript/bin/tsc'
      const tidy = [...suites, '--passWithNoTests', 'test/tidy.test.ts']
      const statuses = [
        await node(compiler, '-p', 'tsconfig.json', '--noEmit', '--incremental', 'false'),
        await node(compiler, '-p', 'src/pages/console/app'),
        await node('node_modules/@biomejs/biome/bin/biome', 'check', '.'),
        await node(vitest, ...tidy),
      ]
      return end(statuses.find((status) => status !== 0) ?? 0)
    }
    default:
      end(2, `--run takes the name of a script of package.json, such as test, not '${name}'.`)
  }
}

function track(one) {
  child = one
  if (stopped !== null) child?.kill()
}

/** Answers the exit status; a signal that ended the child is counted as shells count it. */
function run(command, words, stdout) {
  return new Promise((done, failed) => {
    if (stopped !== null) return failed(new Error(`Stopped by ${stopped}.`))
    const stdio = stdout === 'inherit' ? 'inherit' : ['ignore', 2, 2]
    child = spawn(command, words, { cwd: root, stdio })
    child.once('error', failed)
    child.once('close', (status, signal) => {
      child = null
      done(status ?? 128 + (signal === 'SIGINT' ? 2 : signal === 'SIGKILL' ? 9 : 15))
    })
  })
}

function end(status, sentence) {
  if (sentence !== undefined) process.stderr.write(`${sentence}\n`)
  process.exit(status)
}

// -------------------------------------------------------------------------------- preparation

async function prepare(withTools) {
  const ready = isInstalled() && isBuilt(root, withTools)
  if (ready && isEngineSettled(root)) return
  // Where nothing can be written here, the command goes on with the engine that there is.
  if (!(await lockPreparation(ready))) return
  // Renews the lock while this process works; the lock of a killed process grows old.
  const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), 1_000)
  try {
    // Another process may have installed everything while this one waited.
    if (!isInstalled()) await install()
    if (!isBuilt(root, withTools)) await buildAll()
    if (!isEngineSettled(root)) await bringEngine(root, { say, track })
    if (stopped !== null) throw new Error(`Stopped by ${stopped}.`)
  } finally {
    clearInterval(beat)
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Answers false where nothing can be written, and nothing needs to be. */
async function lockPreparation(ready) {
  for (let told = false; ; told = true) {
    if (stopped !== null) throw new Error(`Stopped by ${stopped}.`)
    try {
      mkdirSync(lock)
      return true
    } catch (error) {
      if (error.code !== 'EEXIST') {
        if (ready) return false
        throw new Error(`${root} must be writable for the first start (${error.code}).`)
      }
    }
    if (!told) say('another process is preparing; waiting for it')
    breakStaleLock()
    await sleep(200)
  }
}

function breakStaleLock() {
  try {
    const seen = statSync(lock)
    if (Date.now() - seen.mtimeMs < lockAgeMsMax) return
    // Renamed first: of several that break the lock one succeeds, and none removes a fresh lock.
    const aside = `${lock}-${process.pid}`
    renameSync(lock, aside)
    if (statSync(aside).ino === seen.ino) rmSync(aside, { recursive: true })
    else renameSync(aside, lock)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function say(text) {
  process.stderr.write(`sluice: ${text}\n`)
}

// ------------------------------------------------------------------------------ dependencies

function isInstalled() {
  if (read(stamp) === installDigest()) return true
  // Somebody ran npm; its own notes say whether that was for this lockfile.
  if (!matchesHiddenLockfile()) return false
  try {
    writeFileSync(stamp, installDigest())
  } catch {
    // Where the folder cannot be written, the next start compares again.
  }
  return true
}

function installDigest() {
  // Some packages hold binaries for one version of Node.
  const platform = `${process.platform}-${process.arch}-${process.versions.modules}`
  return digest(`${platform}\n${readFileSync(join(root, 'package-lock.json'))}`)
}

function matchesHiddenLockfile() {
  const hidden = read(join(root, 'node_modules/.package-lock.json'))
  if (hidden === null) return false
  const there = JSON.parse(hidden).packages
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const installed = (path) => existsSync(join(root, path, 'package.json'))
  return Object.entries(packages).every(([path, wanted]) => {
    if (path === '') return true
    // The HTTP engine for other versions of Node may be missing; that of this one must be there.
    if (wanted.optional && there[path] === undefined) return path !== `node_modules/${prebuilt()}`
    return there[path]?.version === wanted.version && installed(path)
  })
}

async function install() {
  say('installing the locked dependencies (npm ci)')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Building needs the development dependencies, whatever NODE_ENV says.
  const words = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', ...quiet]
  const status = await run('npm', words).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('npm is not installed; it comes with Node.') : error
  })
  if (stopped !== null) throw new Error(`Stopped by ${stopped}.`)
  if (status !== 0) throw new Error(`npm ci ended with ${status}: see its message above.`)
  writeFileSync(stamp, installDigest())
}

async function buildAll() {
  say('building')
  await build(root, async (...words) => {
    const status = await run(process.execPath, words)
    if (stopped !== null) throw new Error(`Stopped by ${stopped}.`)
    return status
  })
}
