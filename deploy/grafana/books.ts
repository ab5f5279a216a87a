import type { Dashboard } from './panels.ts'
import { rare, rate, summed } from './promql.ts'

/** What becomes of them: credits, and what is told of it. */
export const booksDashboards: readonly Dashboard[] = [
  {
    name: 'credits',
    title: 'money and credits',
    panels: [
      {
        title: 'Ledger entries a second',
        about: 'What settling, boundaries and commands wrote, by kind.',
        unit: 'ops',
        queries: [
          [summed('sluice_credit_entries_total', 'transaction_type'), '{{transaction_type}}'],
        ],
      },
      {
        title: 'Ledger entries of a day',
        about: 'By kind, over the last 24 hours.',
        unit: 'short',
        queries: [
          [
            'sum by (transaction_type) (increase(sluice_credit_entries_total[24h]))',
            '{{transaction_type}}',
          ],
        ],
      },
      {
        title: 'Billed events a second',
        about: 'Events that a meter and a route took, and that become credits.',
        unit: 'ops',
        queries: [[`sum(${rate('sluice_billing_events_total{result="billed"}')})`, 'billed']],
      },
      {
        title: 'Unmatched share',
        about: 'Events that no meter or route took: a renamed event shows here first.',
        unit: 'percentunit',
        queries: [
          [
            `sum(${rate('sluice_billing_events_total{result="unmatched"}')}) / (sum(${rate('sluice_billing_events_total')}) > 0)`,
            'unmatched',
          ],
        ],
      },
      {
        title: 'Changes decided again',
        about: 'What a change was decided on had moved; a few are normal under load.',
        unit: 'ops',
        queries: [[rare(summed('sluice_change_retries_total', 'operation')), '{{operation}}']],
      },
      {
        title: 'Rows past their retention',
        about: 'Rows dropped when their time was over, by table.',
        unit: 'ops',
        queries: [[rare(summed('sluice_dropped_rows_total', 'table')), '{{table}}']],
      },
    ],
  },
  {
    name: 'webhooks',
    title: 'webhooks',
    panels: [
      {
        title: 'Attempts a second',
        about: 'By outcome; failed means that another attempt follows.',
        unit: 'ops',
        queries: [[summed('sluice_webhook_attempts_total', 'outcome'), '{{outcome}}']],
      },
      {
        title: 'Delivered share',
        about: 'Of all attempts.',
        unit: 'percentunit',
        queries: [
          [
            `sum(${rate('sluice_webhook_attempts_total{outcome="delivered"}')}) / (sum(${rate('sluice_webhook_attempts_total')}) > 0)`,
            'delivered',
          ],
        ],
      },
      {
        title: 'Pending deliveries',
        about: 'Not finished: due, waiting for the next attempt, or kept.',
        unit: 'short',
        queries: [['sluice:webhook_pending:max', 'pending']],
      },
      {
        title: 'The longest backlog',
        about: 'Deliveries of the endpoint with the most; an alert rings at 50 000.',
        unit: 'short',
        queries: [['max(sluice_webhook_backlog)', 'backlog']],
      },
      {
        title: 'Given up in an hour',
        about: 'Deliveries whose eight attempts failed.',
        unit: 'none',
        single: true,
        queries: [
          [
            rare('sum(increase(sluice_webhook_attempts_total{outcome="given_up"}[1h]))'),
            'given up',
          ],
        ],
      },
    ],
  },
]
