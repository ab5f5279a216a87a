import type { ValidateFunction } from './ajv.ts'
import { newAjv } from './ajv.ts'

// A build puts another file in the place of this one: it finds the function of each schema, written
// as code, so that no start compiles schemas, or loads the compiler (src/main-schemas.ts).

const ajv = newAjv()

/** The function that checks values by a schema. @throws Error where the schema is none. */
export const validatorOf = (definition: Readonly<Record<string, unknown>>): ValidateFunction =>
  ajv.compile(definition)
