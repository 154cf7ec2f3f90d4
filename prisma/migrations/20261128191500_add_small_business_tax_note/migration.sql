-- Runs beside: 0.2.0

ALTER TYPE "tax_note" ADD VALUE 'small_business';
