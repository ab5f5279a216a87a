import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './servers/programs.ts'

/** An authority of its own, and what it has signed: PEM texts, and files for servers. */
export interface Certificates {
  readonly ca: string
  readonly client: { readonly cert: string; readonly key: string }
  /** Key and certificate in one. */
  readonly serverFile: string
  readonly caFile: string
  /** Another folder file of a test, removed with the rest. */
  readonly directory: string
  remove(): Promise<void>
}

/** For a server on 127.0.0.1; `openssl` is on PATH. */
export async function certificates(): Promise<Certificates> {
  const directory = await mkdtemp(join(tmpdir(), 'certificates-'))
  const at = (name: string) => join(directory, name)
  const text = (name: string) => readFile(at(name), 'utf8')
  const days = ['-days', '2']
  const newKey = ['-newkey', 'rsa:2048', '-nodes']
  await run([
    ...['openssl', 'req', '-x509', ...newKey, ...days, '-subj', '/CN=authority'],
    ...['-keyout', at('ca.key'), '-out', at('ca.pem')],
  ])
  for (const name of ['server', 'client']) {
    const request = ['-keyout', at(`${name}.key`), '-out', at(`${name}.csr`)]
    await run(['openssl', 'req', ...newKey, '-subj', `/CN=${name}`, ...request])
    await writeFile(at(`${name}.ext`), 'subjectAltName=IP:127.0.0.1\n')
    const signer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', ...days]
    const files = [
      '-in',
      at(`${name}.csr`),
      '-out',
      at(`${name}.pem`),
      '-extfile',
      at(`${name}.ext`),
    ]
    await run(['openssl', 'x509', '-req', ...signer, ...files])
  }
  await writeFile(at('server-all.pem'), (await text('server.key')) + (await text('server.pem')))
  return {
    ca: await text('ca.pem'),
    client: { cert: await text('client.pem'), key: await text('client.key') },
    serverFile: at('server-all.pem'),
    caFile: at('ca.pem'),
    directory,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
