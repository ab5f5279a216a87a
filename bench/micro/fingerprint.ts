import { randomUUID } from 'node:crypto'
import { createFingerprinter } from '../../src/std/fingerprint.ts'

/**
 * Prints the CPU time of one fingerprint of a 36-character id, and a checksum that keeps it honest.
 */
const rounds = Number(process.argv[2] ?? 200)
const ids = Array.from({ length: 1_000 }, () => randomUUID())
const fingerprinter = createFingerprinter(new Uint8Array(16).fill(7))

let checksum = 0
for (let round = 0; round < rounds; round += 1) run()
const started = process.cpuUsage().user
for (let round = 0; round < rounds; round += 1) run()
const nanoseconds = ((process.cpuUsage().user - started) * 1e3) / (rounds * ids.length)
console.log(`fingerprint: ${nanoseconds.toFixed(0)} ns an id of 36 characters, sum ${checksum}`)

function run(): void {
  checksum = (checksum + (fingerprinter.fingerprints('bus_bench', 'live', ids)[1] ?? 0)) >>> 0
}
