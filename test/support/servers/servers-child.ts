// Starts servers, says where their files are, and waits to be killed.
import { startServers } from './servers.ts'

const [kafka, postgres] = [process.argv.includes('kafka'), process.argv.includes('postgres')]
const servers = await startServers({ redis: 'single', postgres, ...(kafka ? { kafka: 1 } : {}) })
const all = [servers.kafka, servers.redis, servers.postgres].filter((one) => one !== null)
process.stdout.write(`${JSON.stringify(all.map(({ directory }) => directory))}\n`)
setInterval(() => undefined, 60_000)
