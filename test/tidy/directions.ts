import { importsOf } from './imports.ts'
import type { Rule } from './tree.ts'

const rules = ['rules/*']
const ground = ['std', 'limits', 'faults', 'runtime']
const middle = [...ground, ...rules, 'operations', 'ports']
const doors = [...middle, 'wire']

/**
 * Who may import whom, first match wins. A room may always import itself; `x/*` means all rooms of
 * that beginning. What a room may not import, it gets as an argument, or does not need.
 */
const rooms: readonly (readonly [name: string, path: RegExp, mayImport: readonly string[]])[] = [
  ['std', /^src\/std\//, []],
  ['limits', /^src\/limits(-\w+)?\.ts$/, ['std']],
  ['faults', /^src\/faults(-\w+)?\.ts$/, []],
  ['config', /^src\/config(-\w+)?\.ts$/, [...ground, 'parts/shared', 'kafka/words']],
  ['runtime', /^src\/runtime\//, ground],

  // What is right, each noun standing on those before it.
  ['rules/meter', /^src\/rules\/meter\//, ['std', 'limits']],
  [
    'rules/facts',
    /^src\/rules\/facts\//,
    [
      'std',
      'limits',
      'rules/meter',
      'rules/commerce',
      'rules/commerce/catalog',
      'rules/commerce/payment',
      'rules/commerce/subscription',
      'rules/accounts/cart',
    ],
  ],
  ['rules/archive', /^src\/rules\/archive\//, ['std', 'limits', 'rules/meter']],
  ['rules/commerce', /^src\/rules\/commerce\/[^/]+$/, ['std', 'limits']],
  ['rules/money', /^src\/rules\/money\//, ['std', 'limits', 'rules/commerce']],
  [
    'rules/commerce/catalog',
    /^src\/rules\/commerce\/catalog\//,
    ['std', 'limits', 'rules/meter', 'rules/commerce', 'rules/money'],
  ],
  // What a payment, a refund, a dispute, a payout, an entry of the business's money and a license
  // are; what they take and bring stands with the others of commerce.
  [
    'rules/commerce/payment',
    new RegExp(
      '^src/rules/commerce/(\\w+/(payment|refund|dispute|payout|balance-entry)' +
        '|(licenses|entitlements)/(?!subscription).+)\\.ts$',
    ),
    ['std', 'limits', 'rules/commerce', 'rules/commerce/catalog', 'rules/commerce/discount'],
  ],
  // What a code is; what it takes off stands beside it.
  [
    'rules/commerce/discount',
    /^src\/rules\/commerce\/discounts\/discount\.ts$/,
    ['std', 'limits', 'rules/commerce', 'rules/commerce/catalog'],
  ],
  // What a subscription carries and is; what becomes of either stands with the others.
  [
    'rules/accounts/cart',
    /^src\/rules\/accounts\/(attached-credits|credits|terms)\.ts$/,
    ['std', 'limits', 'rules/commerce', 'rules/commerce/catalog'],
  ],
  [
    'rules/commerce/subscription',
    /^src\/rules\/commerce\/subscriptions\/(dues|subscription)\.ts$/,
    [
      'std',
      'limits',
      'rules/meter',
      'rules/commerce',
      'rules/commerce/catalog',
      'rules/commerce/discount',
      'rules/accounts/cart',
    ],
  ],
  [
    'rules/accounts',
    /^src\/rules\/accounts\//,
    [
      'std',
      'limits',
      'rules/meter',
      'rules/facts',
      'rules/commerce',
      'rules/commerce/catalog',
      'rules/accounts/cart',
    ],
  ],
  // Everything that can be bought ends in it.
  ['rules/commerce/payments', /^src\/rules\/commerce\/payments\//, ['std', 'limits', ...rules]],
  ['rules/commerce/*', /^src\/rules\/commerce\/\w+\//, ['std', 'limits', ...rules]],
  ['rules/explain', /^src\/rules\/explain\//, ['std', 'limits', ...rules]],
  ['wire', /^src\/wire\//, ['std', 'limits', ...rules]],

  // What it stands on. A driver knows ports, and no other driver but the code that two share.
  ['ports', /^src\/parts\/(\w[\w-]*\/port|store\/[\w-]+)\.ts$/, ['std', ...rules]],
  ['kafka/words', /^src\/parts\/kafka\/[\w-]+\.ts$/, []],
  ['kafka/protocol', /^src\/parts\/kafka\/protocol\//, ['std', 'kafka/words']],
  ['kafka/connection', /^src\/parts\/kafka\/connection\//, ['kafka/words', 'kafka/protocol']],
  ['kafka/client', /^src\/parts\/kafka\/client\//, [...ground, 'kafka/*']],
  ['parts/shared', /^src\/parts\/[\w-]+\.ts$/, ground],
  [
    'driver',
    /^src\/parts\/[\w-]+\/[\w-]+\//,
    [...ground, ...rules, 'ports', 'parts/shared', 'kafka/*'],
  ],

  // Speaks the domain's own types: who calls it reads and makes the shapes of the API.
  ['operations', /^src\/operations\//, middle],
  ['edge/http', /^src\/edge\/http\//, [...ground, ...rules]],
  ['edge/ingest', /^src\/edge\/ingest\//, [...doors, 'edge/http']],
  ['edge/api', /^src\/edge\/api\//, [...doors, 'edge/http']],
  // A form that people send is carried out; what they read besides is handed in.
  ['pages/checkout', /^src\/pages\/checkout\//, [...doors, 'edge/http', 'pages']],
  // It looks like the checkout, whose customers come back by it.
  ['pages/portal', /^src\/pages\/portal\//, [...doors, 'edge/http', 'pages', 'pages/checkout']],
  // What runs in browsers knows nothing of the server but its answers, and is bundled by itself.
  ['pages/console/app', /^src\/pages\/console\/app\//, []],
  // The routes of the API for people who are logged in, and who they are.
  ['pages/console', /^src\/pages\/console\//, [...doors, 'edge/http', 'pages']],
  // Shows what it is given, by the routes of an edge.
  ['pages', /^src\/pages\//, ['std', 'limits', 'faults', 'edge/http']],
  // Takes events as the edge does, and is no part of the gateway.
  ['sidecar', /^src\/sidecar\//, [...ground, ...rules, 'wire', 'edge/http', 'edge/ingest']],
  ['engine', /^src\/engine\/[\w-]+\.ts$/, middle],
  ['engine/part', /^src\/engine\/[\w-]+\//, [...doors, 'engine']],

  // Joins the parts of a process, and names no driver: the simulation hands in its own.
  [
    'wiring',
    /^src\/compose\/wiring\//,
    [...doors, 'edge/http', 'edge/ingest', 'engine', 'engine/part'],
  ],
  // The composition root names drivers; commands get a store from it.
  [
    'start',
    /^src\/start(-assembly|-build|-bundle|-chunks|-load|-engine(-fetch)?)?\.js$/,
    ['root', 'start'],
  ],
  ['root', /^src\/(compose\/[\w-]+|serve|main(-\w+)?)\.ts$/, ['config', 'cli', 'any']],
  ['cli', /^src\/cli\//, [...doors, 'config', 'root']],
  // Draws papers: a driver's part in a thread of its own.
  ['workers/paper', /^workers\/paper\.ts$/, ['driver']],
  ['workers', /^workers\//, ['std', 'limits', ...rules]],
]

/**
 * Left to right only: a rule that reached for a store could not be tested, or trusted, without one.
 */
export const directions: Rule = (files) =>
  files.flatMap((file) => {
    if (!/^(src|workers)\/.*\.(tsx?|js)$/.test(file.path)) return []
    const room = roomOf(file.path)
    if (room === null)
      return [`${file.path}: no room of this name. Give it one, and a line in the import table.`]
    return importsOf(file).flatMap(({ path, line }) => {
      if (path === null || may(room, file.path, path)) return []
      const target = roomOf(path)?.name ?? path.split('/')[0]
      return [
        `${file.path}:${line}: ${room.name} must not import ${target} (${path}). ` +
          'Pass it in as an argument, or move what is needed to a room that both may import.',
      ]
    })
  })

interface Room {
  readonly name: string
  readonly mayImport: readonly string[]
}

function roomOf(path: string): Room | null {
  const [name, , mayImport] = rooms.find(([, pattern]) => pattern.test(path)) ?? []
  return name === undefined || mayImport === undefined ? null : { name, mayImport }
}

function may(room: Room, from: string, to: string): boolean {
  const target = roomOf(to)
  if (target === null) return false
  if (target.name === room.name) {
    return !separate.has(room.name) || roomFolder(room, from) === roomFolder(room, to)
  }
  return room.mayImport.some(
    (allowed) =>
      allowed === 'any' ||
      allowed === target.name ||
      (allowed.endsWith('/*') && target.name.startsWith(allowed.slice(0, -1))),
  )
}

/**
 * Siblings of one kind that know nothing of each other: a driver no other, measuring no webhooks.
 */
const separate: ReadonlySet<string> = new Set(['driver', 'engine/part', 'rules/commerce/*'])

/** Of `src/parts/store/postgres/usage/voids.ts`, the driver's `src/parts/store/postgres`. */
const roomFolder = (room: Room, path: string): string =>
  path
    .split('/')
    .slice(0, room.name === 'driver' ? 4 : -1)
    .join('/')
