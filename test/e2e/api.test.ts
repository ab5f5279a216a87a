// Suites of one server: who may call, and what every route takes and answers.
import './api/access.ts'
import './api/catalog.ts'
import './api/products.ts'
import './api/subscriptions.ts'
import './api/balances.ts'
import './api/lists.ts'
import './api/endpoints.ts'
