import type { IntentStatus } from '../../rules/commerce/payments/payment.ts'
import type { SubscriptionStatus } from '../../rules/commerce/subscriptions/subscription.ts'

/** What the portal says, by language. Amounts, numbers and dates come from the platform's Intl. */
export interface PortalTexts {
  readonly amount: string
  readonly back: string
  readonly balance: string
  readonly cancel: string
  readonly cancelNowQuestion: string
  readonly cancelQuestion: string
  readonly changePlan: string
  readonly credits: string
  readonly date: string
  readonly ends: string
  readonly entries: string
  readonly expires: string
  readonly grants: string
  readonly invoice: string
  readonly keep: string
  readonly keepPlan: string
  readonly licenses: string
  readonly methods: string
  readonly never: string
  readonly newPlan: string
  readonly nothing: string
  readonly overage: string
  readonly payments: string
  readonly payWith: string
  readonly plans: string
  readonly remove: string
  readonly renews: string
  readonly returns: string
  readonly status: string
  readonly subscriptions: string
  readonly testMode: string
  readonly title: string
  readonly waitsUntil: string
  readonly statuses: Readonly<Record<SubscriptionStatus, string>>
  readonly paymentStatuses: Readonly<Partial<Record<IntentStatus, string>>>
  readonly otherStatus: string
}

const en: PortalTexts = {
  amount: 'Amount',
  back: 'Back to the overview',
  balance: 'Balance',
  cancel: 'Cancel',
  cancelNowQuestion: 'End this subscription now?',
  cancelQuestion: 'End this subscription with its current period?',
  changePlan: 'Change plan',
  credits: 'Credits',
  date: 'Date',
  ends: 'Ends on',
  entries: 'What was added and used',
  expires: 'Valid until',
  grants: 'What is left of what was added',
  invoice: 'Invoice (PDF)',
  keep: 'Do not cancel',
  keepPlan: 'Keep the present plan',
  licenses: 'License keys',
  methods: 'Cards',
  never: 'without end',
  newPlan: 'Choose',
  nothing: 'Nothing here yet.',
  overage: 'Owed',
  payments: 'Payments',
  payWith: 'Pay with this card',
  plans: 'Plans',
  remove: 'Remove',
  renews: 'Renews on',
  returns: 'Back to the seller',
  status: 'Status',
  subscriptions: 'Subscriptions',
  testMode: 'Test mode: no money moves.',
  title: 'Your purchases',
  waitsUntil: 'A new plan begins on',
  statuses: {
    pending: 'not paid yet',
    active: 'active',
    on_hold: 'a payment is open',
    paused: 'paused',
    cancelled: 'cancelled',
    failed: 'not paid',
    expired: 'over',
  },
  paymentStatuses: {
    succeeded: 'paid',
    failed: 'failed',
    cancelled: 'cancelled',
    processing: 'on its way',
  },
  otherStatus: 'open',
}

const de: PortalTexts = {
  amount: 'Betrag',
  back: 'Zurück zur Übersicht',
  balance: 'Guthaben',
  cancel: 'Kündigen',
  cancelNowQuestion: 'Dieses Abo jetzt beenden?',
  cancelQuestion: 'Dieses Abo mit dem laufenden Zeitraum beenden?',
  changePlan: 'Tarif wechseln',
  credits: 'Guthaben',
  date: 'Datum',
  ends: 'Endet am',
  entries: 'Zu- und Abgänge',
  expires: 'Gültig bis',
  grants: 'Was von den Zugängen übrig ist',
  invoice: 'Rechnung (PDF)',
  keep: 'Nicht kündigen',
  keepPlan: 'Beim jetzigen Tarif bleiben',
  licenses: 'Lizenzschlüssel',
  methods: 'Karten',
  never: 'unbegrenzt',
  newPlan: 'Auswählen',
  nothing: 'Hier ist noch nichts.',
  overage: 'Offen',
  payments: 'Zahlungen',
  payWith: 'Mit dieser Karte bezahlen',
  plans: 'Tarife',
  remove: 'Entfernen',
  renews: 'Verlängert sich am',
  returns: 'Zurück zum Anbieter',
  status: 'Status',
  subscriptions: 'Abos',
  testMode: 'Testmodus: Es fließt kein Geld.',
  title: 'Ihre Käufe',
  waitsUntil: 'Ein neuer Tarif beginnt am',
  statuses: {
    pending: 'noch nicht bezahlt',
    active: 'aktiv',
    on_hold: 'eine Zahlung ist offen',
    paused: 'pausiert',
    cancelled: 'gekündigt',
    failed: 'nicht bezahlt',
    expired: 'beendet',
  },
  paymentStatuses: {
    succeeded: 'bezahlt',
    failed: 'gescheitert',
    cancelled: 'abgebrochen',
    processing: 'unterwegs',
  },
  otherStatus: 'offen',
}

const fr: PortalTexts = {
  amount: 'Montant',
  back: 'Retour à l’aperçu',
  balance: 'Solde',
  cancel: 'Résilier',
  cancelNowQuestion: 'Mettre fin à cet abonnement maintenant ?',
  cancelQuestion: 'Mettre fin à cet abonnement avec la période en cours ?',
  changePlan: 'Changer d’offre',
  credits: 'Crédits',
  date: 'Date',
  ends: 'Prend fin le',
  entries: 'Ajouts et utilisations',
  expires: 'Valable jusqu’au',
  grants: 'Ce qui reste des ajouts',
  invoice: 'Facture (PDF)',
  keep: 'Ne pas résilier',
  keepPlan: 'Garder l’offre actuelle',
  licenses: 'Clés de licence',
  methods: 'Cartes',
  never: 'sans limite',
  newPlan: 'Choisir',
  nothing: 'Rien ici pour l’instant.',
  overage: 'Dû',
  payments: 'Paiements',
  payWith: 'Payer avec cette carte',
  plans: 'Offres',
  remove: 'Supprimer',
  renews: 'Renouvelé le',
  returns: 'Retour au vendeur',
  status: 'État',
  subscriptions: 'Abonnements',
  testMode: 'Mode test : aucun argent n’est transféré.',
  title: 'Vos achats',
  waitsUntil: 'Une nouvelle offre commence le',
  statuses: {
    pending: 'pas encore payé',
    active: 'actif',
    on_hold: 'un paiement est en attente',
    paused: 'en pause',
    cancelled: 'résilié',
    failed: 'non payé',
    expired: 'terminé',
  },
  paymentStatuses: {
    succeeded: 'payé',
    failed: 'échoué',
    cancelled: 'annulé',
    processing: 'en cours',
  },
  otherStatus: 'en attente',
}

const es: PortalTexts = {
  amount: 'Importe',
  back: 'Volver al resumen',
  balance: 'Saldo',
  cancel: 'Cancelar',
  cancelNowQuestion: '¿Terminar esta suscripción ahora?',
  cancelQuestion: '¿Terminar esta suscripción con el período actual?',
  changePlan: 'Cambiar de plan',
  credits: 'Créditos',
  date: 'Fecha',
  ends: 'Termina el',
  entries: 'Lo añadido y lo usado',
  expires: 'Válido hasta',
  grants: 'Lo que queda de lo añadido',
  invoice: 'Factura (PDF)',
  keep: 'No cancelar',
  keepPlan: 'Conservar el plan actual',
  licenses: 'Claves de licencia',
  methods: 'Tarjetas',
  never: 'sin límite',
  newPlan: 'Elegir',
  nothing: 'Todavía no hay nada aquí.',
  overage: 'Pendiente',
  payments: 'Pagos',
  payWith: 'Pagar con esta tarjeta',
  plans: 'Planes',
  remove: 'Quitar',
  renews: 'Se renueva el',
  returns: 'Volver al vendedor',
  status: 'Estado',
  subscriptions: 'Suscripciones',
  testMode: 'Modo de prueba: no se mueve dinero.',
  title: 'Sus compras',
  waitsUntil: 'Un plan nuevo empieza el',
  statuses: {
    pending: 'aún sin pagar',
    active: 'activa',
    on_hold: 'hay un pago pendiente',
    paused: 'en pausa',
    cancelled: 'cancelada',
    failed: 'sin pagar',
    expired: 'terminada',
  },
  paymentStatuses: {
    succeeded: 'pagado',
    failed: 'fallido',
    cancelled: 'cancelado',
    processing: 'en curso',
  },
  otherStatus: 'pendiente',
}

const ja: PortalTexts = {
  amount: '金額',
  back: '概要に戻る',
  balance: '残高',
  cancel: '解約する',
  cancelNowQuestion: '今すぐ解約しますか。',
  cancelQuestion: '現在の期間の終わりで解約しますか。',
  changePlan: 'プランを変更する',
  credits: 'クレジット',
  date: '日付',
  ends: '終了日',
  entries: '追加と利用の履歴',
  expires: '有効期限',
  grants: '追加分の残り',
  invoice: '請求書（PDF）',
  keep: '解約を取り消す',
  keepPlan: '現在のプランを続ける',
  licenses: 'ライセンスキー',
  methods: 'カード',
  never: '無期限',
  newPlan: '選ぶ',
  nothing: 'まだ何もありません。',
  overage: '未払い',
  payments: 'お支払い',
  payWith: 'このカードで支払う',
  plans: 'プラン',
  remove: '削除',
  renews: '更新日',
  returns: '販売者に戻る',
  status: '状態',
  subscriptions: '定期購入',
  testMode: 'テストモード：お金は動きません。',
  title: 'ご購入の内容',
  waitsUntil: '新しいプランの開始日',
  statuses: {
    pending: '未払い',
    active: '利用中',
    on_hold: '支払い待ち',
    paused: '一時停止中',
    cancelled: '解約済み',
    failed: '支払い失敗',
    expired: '終了',
  },
  paymentStatuses: {
    succeeded: '支払い済み',
    failed: '失敗',
    cancelled: '取り消し',
    processing: '処理中',
  },
  otherStatus: '未完了',
}

/** By the languages that pages speak. */
export const portalTexts: Readonly<Record<string, PortalTexts>> = { en, de, fr, es, ja }
