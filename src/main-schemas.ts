import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { commands, loaded } from './cli/commands.ts'
import './compose/server.ts'
import './compose/sidecar.ts'
import { validatorsAsCode } from './std/ajv.ts'
import { madeDefinitions } from './std/schema.ts'

// The build runs this when everything is compiled: it writes the checks of all schemas as code, and
// what looks them up over the module that would compile them at every start.
await loaded(commands)
const beside = (name: string): URL => new URL(`./std/${name}`, import.meta.url)
const digest = (text: string): string => createHash('sha256').update(text).digest('base64')
const { functions, module } = validatorsAsCode(madeDefinitions(), digest)
// Another file, not other bytes in it: a process that runs reads on in its own.
rmSync(beside('validators.txt'), { force: true })
writeFileSync(beside('validators.txt'), functions)
writeFileSync(beside('validators.js'), module)
