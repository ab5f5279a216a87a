import { parseInstant } from './instant.ts'

/** The formats that schemas may name, as ajv takes them. */
export const formats = {
  'date-time': {
    type: 'string' as const,
    validate: (text: string): boolean => parseInstant(text) !== null,
  },
}
