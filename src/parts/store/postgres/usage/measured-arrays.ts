import type { Measured } from '../../measuring.ts'
import { numberArray, textArray } from '../connection/arrays.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

/** The arguments of commit_measured() that are arrays, in its order. */
export const measuredArrays = ({ usage, accounts, routes }: Measured): Statement => sql`
  ${textArray(usage.map((row) => row.businessId))}::text[],
  ${textArray(usage.map((row) => row.mode))}::text[],
  ${textArray(usage.map((row) => row.customerId))}::text[],
  ${textArray(usage.map((row) => row.routeId))}::text[],
  ${textArray(usage.map((row) => row.entitlementId))}::text[],
  ${textArray(usage.map((row) => row.meterId))}::text[],
  ${numberArray(usage.map((row) => row.cycleAt))}::bigint[],
  ${numberArray(usage.map((row) => row.segmentAt))}::bigint[],
  ${numberArray(usage.map((row) => row.logHour))}::integer[],
  ${textArray(usage.map((row) => row.aggregation))}::text[],
  ${numberArray(usage.map((row) => row.events))}::bigint[],
  ${numberArray(usage.map((row) => row.value))}::numeric[],
  ${numberArray(usage.map((row) => row.lastAt))}::bigint[],
  ${numberArray(usage.map((row) => row.lastReceived))}::bigint[],
  ${textArray(usage.map((row) => row.lastEventId))}::text[],
  ${textArray(accounts.map((account) => account.businessId))}::text[],
  ${textArray(accounts.map((account) => account.mode))}::text[],
  ${textArray(accounts.map((account) => account.customerId))}::text[],
  ${textArray(accounts.map((account) => account.entitlementId))}::text[],
  ${textArray(routes.map((route) => route.businessId))}::text[],
  ${textArray(routes.map((route) => route.mode))}::text[],
  ${textArray(routes.map((route) => route.customerId))}::text[],
  ${numberArray(routes.map((route) => route.version))}::bigint[],
  ${numberArray(routes.map((route) => route.stamp))}::bigint[]`
