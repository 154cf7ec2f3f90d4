/** Minor units (cents) and an ISO 4217 code. */
export interface Money {
  amount: number;
  currency: string;
}
