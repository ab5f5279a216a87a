import { run } from '../../support/servers/programs.ts'
import { commandOf } from '../life.ts'

/** A business of its own with a key that may write, made as an operator makes them. */
export async function makeKey(environment: Readonly<Record<string, string>>): Promise<string> {
  const limitless = ['--name', 'Chaos', '--rate-tier', 'unlimited']
  const { business_id: business = '' } = await sluice(['business', 'create', ...limitless])
  const { api_key: key = '' } = await sluice([
    ...['keys', 'create', '--business', business, '--mode', 'test'],
  ])
  return key

  async function sluice(words: readonly string[]): Promise<Readonly<Record<string, string>>> {
    const command = [process.execPath, ...commandOf([...words, '--json'])]
    return JSON.parse(await run(command, environment)) as Readonly<Record<string, string>>
  }
}
