// Suites of one server: people who buy something, and the pages that they see.
import './buying/asked-of-the-page.ts'
import './buying/static-checkout.ts'
import './buying/opened-payments.ts'
import './buying/pending-subscriptions.ts'
import './buying/on-demand.ts'
import './buying/settling.ts'
import './buying/portal.ts'
import './buying/entitlements.ts'
