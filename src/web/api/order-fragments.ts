import { graphql } from '../gql/index.ts';

/** The fields of an order in lists. */
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
    event: eventSummary {
      title
    }
    items {
      quantity
      validOn
      typeName
    }
  }
`);

/** The fields of an order on its page, for staff and for the buyer. */
graphql(`
  fragment OrderContents on Order {
    ...OrderSummary
    discountCodeText
    discount {
      amount
      currency
    }
    paid {
      amount
      currency
    }
    event: eventSummary {
      status
      startsAt
      endsAt
      timeZone
      locationName
      roomName
    }
    day: daySummary {
      locationName
      address
      timeZone
      openingTimes {
        opens
        closes
      }
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
      typeName
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
      typeName
      price {
        amount
        currency
      }
    }
  }
`);
