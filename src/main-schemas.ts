import { writeFileSync } from 'node:fs'
import { commands, loaded } from './cli/commands.ts'
import './compose/sidecar.ts'
import './serve.ts'
import { validatorsAsCode } from './std/ajv.ts'
import { madeDefinitions } from './std/schema.ts'

// The build runs this when everything is compiled: it writes the checks of all schemas as code over
// the module that would compile them at every start.
await loaded(commands)
const file = new URL('./std/validators.js', import.meta.url)
writeFileSync(file, validatorsAsCode(madeDefinitions()))
