import { execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { scratchDirectory, sluice } from '../support/process/server.ts'

const run = promisify(execFile)
const scratch = scratchDirectory()
const scripts = new Map<string, string>()

beforeAll(async () => {
  mkdirSync(join(scratch.path, 'somewhere'))
  writeFileSync(join(scratch.path, 'body.json'), '{}')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, out, error } = await sluice(['completion', shell], {})
    expect([status, error]).toEqual([0, ''])
    scripts.set(shell, join(scratch.path, `sluice.${shell}`))
    writeFileSync(join(scratch.path, `sluice.${shell}`), out)
  }
}, 120_000)
afterAll(() => scratch.remove())

const installed = (program: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  )

describe('sluice completion', () => {
  it('knows every command, and no shell but three', async () => {
    const { out } = await sluice(['completion', 'bash', '--json'], {})
    for (const [words, load] of Object.entries(commands)) {
      expect((await load()).name).toBe(words)
      expect(JSON.parse(out).script).toContain(`'${words}')`)
    }
    const ended = await sluice(['completion', 'csh'], {})
    expect([ended.status, ended.out]).toEqual([2, ''])
    expect(ended.error).toContain("no completion for 'csh'")
  })
})

describe('in bash', () => {
  /**
   * What the shell would offer: its own rules cut the line into words, and find the function that
   * was registered.
   */
  async function offered(line: string): Promise<readonly string[]> {
    const program = `
      source "$SCRIPT"
      line=$LINE
      # Bash cuts at these, too.
      words=(); word=''
      for (( i = 0; i < \${#line}; i++ )); do
        c=\${line:i:1}
        case $c in
          ' ') [[ -n $word ]] && words+=("$word"); word='' ;;
          [=@]) [[ -n $word ]] && words+=("$word"); words+=("$c"); word='' ;;
          *) word+=$c ;;
        esac
      done
      words+=("$word")
      COMP_WORDS=("\${words[@]}"); COMP_CWORD=$(( \${#words[@]} - 1 )); COMP_LINE=$line
      COMP_POINT=\${#line}
      registered=$(complete -p sluice)
      [[ $registered =~ -F\\ ([a-z_]+) ]] && "\${BASH_REMATCH[1]}" sluice "$word" x
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = await run('bash', ['--norc', '--noprofile', '-c', program], {
      env: { PATH: process.env['PATH'], SCRIPT: scripts.get('bash'), LINE: line },
      cwd: scratch.path,
    })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((word) => word !== '')
  }

  it.each([
    ['sluice ke', ['keys']],
    ['sluice help ke', ['keys']],
    ['sluice keys ', ['create', 'list', 'revoke']],
    ['sluice keys create --mode ', ['test', 'live']],
    ['sluice keys create --mode=l', ['live']],
    ['sluice payouts create --mode ', ['test', 'live']],
    ['sluice keys create --business bus_1 --mo', ['--mode']],
    ['sluice keys create --name ', []],
    ['sluice business create --rate-tier ', ['0', '1', '2', 'unlimited']],
    ['sluice completion ', ['bash', 'zsh', 'fish']],
    ['sluice completion bash ', []],
    ['sluice api --key k P', ['POST', 'PATCH', 'PUT']],
    ['sluice api --key=k D', ['DELETE']],
    ['sluice api GET ', []],
    ['sluice api POST /customers --data @bo', ['body.json']],
    ['sluice api POST --data @body.json /customers --k', ['--key']],
    ['sluice backup s', ['sluice.bash', 'sluice.zsh', 'sluice.fish', 'somewhere']],
    ['sluice listen --types credit.ad', ['credit.added']],
    ['sluice verify --', ['--business', '--json', '--help']],
    ['sluice dance ', []],
    ['sluice keys dance --', []],
  ])('%s', async (line, words) => {
    expect([...(await offered(line))].toSorted()).toEqual([...words].toSorted())
  })
})

describe.runIf(await installed('script'))('in bash, as somebody types', () => {
  it('completes by the tab key', async () => {
    const shell = spawn('script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], {
      env: { PATH: process.env['PATH'], TERM: 'dumb', PS1: '$ ' },
      cwd: scratch.path,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let seen = ''
    shell.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString()
    })
    const ended = new Promise((done) => shell.once('close', done))
    const typed = async (keys: string, shown: RegExp) => {
      shell.stdin.write(keys)
      await expect.poll(() => seen).toMatch(shown)
    }
    await typed('sluice() { echo "called: $*"; }; echo rea""dy\n', /ready/)
    await typed(`source ${scripts.get('bash')}; echo sour""ced\n`, /sourced/)
    await typed('sluice key\tcre\t--mo\tli\t\n', /called: keys create --mode live/)
    await typed('sluice api POST /x --data @bo\t\n', /called: api POST \/x --data @body.json/)
    shell.stdin.end('exit\n')
    await ended
  })
})

describe.runIf(await installed('zsh'))('in zsh', () => {
  it('is read by its completion system, which finds the function', async () => {
    const program = `autoload -U compinit; compinit -D; source ${scripts.get('zsh')}; echo $_comps[sluice]`
    const { stdout, stderr } = await run('zsh', ['-f', '-c', program])
    expect([stdout.trim(), stderr]).toEqual(['_sluice', ''])
  })

  it('completes by the tab key', async () => {
    const lines = [
      ['sluice key\tcre\t--mo\tli\t', 'keys create --mode=live'],
      ['sluice help ke\t', 'help keys'],
      ['sluice api POST /x --data @bo\t', 'api POST /x --data @body.json'],
      ['sluice listen --types credit.ad\t', 'listen --types credit.added'],
      ['sluice backup some\t', 'backup somewhere'],
      ['sluice payouts create --mode te\t', 'payouts create --mode test'],
    ] as const
    // Each is typed when the shell has carried out the one before. Its rules are read only once.
    const program = `
      zmodload zsh/zpty
      zpty -b shell zsh -f -i
      await() { local said; zpty -r shell said "*$~1*"; print -r -- "$said" }
      zpty -w shell "unset zle_bracketed_paste; autoload -U compinit; compinit -D; source $SCRIPT"
      zpty -w shell 'sluice() { print "called"": $* /""done" }; print rea""dy'
      await ready
      ${lines.map(([typed]) => `zpty -w shell $'${typed}'; await 'called:*/done'`).join('\n')}`
    const { stdout } = await run('zsh', ['-f', '-c', program], {
      env: { PATH: process.env['PATH'], SCRIPT: scripts.get('zsh'), TERM: 'dumb' },
      cwd: scratch.path,
    })
    for (const [, called] of lines) expect(stdout).toContain(`called: ${called}`)
  }, 60_000)
})

describe.runIf(await installed('fish'))('in fish', () => {
  it.each([
    ['sluice ke', ['keys']],
    ['sluice keys create --mode ', ['live', 'test']],
    ['sluice completion ', ['bash', 'fish', 'zsh']],
    ['sluice help ke', ['keys']],
    ['sluice keys create --business bus_1 --mo', ['--mode']],
    ['sluice listen --types credit.ad', ['credit.added']],
    ['sluice api POST /customers --data @bo', ['@body.json']],
    ['sluice api POST /customers --data=@bo', ['--data=@body.json']],
    ['sluice backup some', ['somewhere/']],
    ['sluice dance ', []],
  ])('%s', async (line, words) => {
    const program = `source ${scripts.get('fish')}; complete -C ${JSON.stringify(line)}`
    const { stdout, stderr } = await run('fish', ['--no-config', '-c', program], {
      cwd: scratch.path,
    })
    expect(stderr).toBe('')
    const offered = stdout.split('\n').map((each) => each.split('\t')[0] ?? '')
    expect(offered.filter((word) => word !== '').toSorted()).toEqual(words)
  })
})
