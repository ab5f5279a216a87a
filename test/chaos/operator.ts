import { run } from '../support/servers/programs.ts'
import { commandOf } from './life.ts'

type Environment = Readonly<Record<string, string>>

/** A business without limits, made as an operator makes it. */
export async function makeBusiness(name: string, environment: Environment): Promise<string> {
  const words = ['business', 'create', '--name', name, '--rate-tier', 'unlimited']
  return (await sluice(words, environment))['business_id'] ?? ''
}

export async function makeKey(
  business: string,
  environment: Environment,
  ...flags: readonly string[]
): Promise<string> {
  const words = ['keys', 'create', '--business', business, '--mode', 'test', ...flags]
  return (await sluice(words, environment))['api_key'] ?? ''
}

async function sluice(
  words: readonly string[],
  environment: Environment,
): Promise<Readonly<Record<string, string>>> {
  const command = [process.execPath, ...commandOf([...words, '--json'])]
  return JSON.parse(await run(command, environment)) as Readonly<Record<string, string>>
}
