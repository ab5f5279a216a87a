import type { ConsolePlace } from './address.ts'
import { apiPath, useLoaded } from './calls.ts'
import type { Me } from './me.ts'
import { count } from './moments.ts'
import { Facts, Failure, Heading, PasteCommand, Skeleton } from './parts.tsx'

/** The tier of the business, and how much of it is used just now. */
export function LimitsPage({ place: { mode }, me }: { place: ConsolePlace; me: Me }) {
  const { data, failure, again } = useLoaded(apiPath(mode, '/limits'))
  const bound = (value: unknown) => (typeof value === 'number' ? count(value) : 'without a limit')
  return (
    <section>
      <Heading title="Rate limits" lead="For all keys of the business and both modes together.">
        <button type="button" onClick={again}>
          Look again
        </button>
      </Heading>
      {failure !== null && <Failure failure={failure} again={again} />}
      {failure === null && data === null && <Skeleton lines={3} />}
      {data !== null && (
        <Facts
          of={[
            ['Tier', String(data['tier'])],
            ['Requests in a second', bound(data['per_second'])],
            ['Requests in a minute', bound(data['per_minute'])],
            [
              'Left just now',
              data['unlimited'] === true
                ? 'as many as you like'
                : `${bound(data['remaining'])} of ${bound(data['nearest_limit'])}`,
            ],
          ]}
        />
      )}
      <p class="note">The operator of the server sets it:</p>
      <PasteCommand>{`npm run -s sluice -- business limit ${me.business_id} --rate-tier 2`}</PasteCommand>
    </section>
  )
}
