import { fileURLToPath } from 'node:url'

/** The root of the repository, both for the sources and for what is built of them. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/dist\/$/, '/')
