import { graphql } from '../gql/index.ts';

/** What a list shows of an order. */
graphql(`
  fragment OrderSummary on Order {
    id
    code
    status
    expiresAt
    buyer {
      name
      email
    }
    total {
      amount
      currency
    }
    refundedAmount {
      amount
      currency
    }
    payment {
      provider
      status
    }
    event {
      title
    }
    items {
      quantity
      validOn
      ticketType {
        name
      }
      dayPassType {
        name
      }
    }
  }
`);

/** What a page shows of an order, both to staff and to the buyer. */
graphql(`
  fragment OrderContents on Order {
    ...OrderSummary
    discountCode
    discount {
      amount
      currency
    }
    paid {
      amount
      currency
    }
    event {
      status
      startsAt
      endsAt
      timeZone
      locationName
    }
    items {
      unitPrice {
        amount
        currency
      }
    }
    tickets {
      id
      code
      status
      attendee {
        name
        email
      }
      ticketType {
        name
      }
      price {
        amount
        currency
      }
    }
    dayPasses {
      id
      code
      status
      validOn
      locationName
      holder {
        name
        email
      }
      dayPassType {
        name
      }
      price {
        amount
        currency
      }
    }
  }
`);
