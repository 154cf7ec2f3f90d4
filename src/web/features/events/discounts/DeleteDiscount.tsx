import { Code } from '@mantine/core';
import { Confirm } from '../../../ui/Confirm.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { type DiscountCode, useDeleteDiscountCode } from './queries.ts';

interface Props {
  code: DiscountCode;
  onClose: () => void;
}

export function DeleteDiscount({ code: { id, code }, onClose }: Props) {
  const remove = useDeleteDiscountCode(() => {
    notifyDone(`${code} is deleted.`);
    onClose();
  });
  return (
    <Confirm
      label="Delete code"
      onCancel={onClose}
      onConfirm={() => remove.mutate(id)}
      pending={remove.isPending}
      error={remove.error}
    >
      Nobody gets anything for <Code>{code}</Code> any more. If orders were ever placed with it, it
      stays, and you switch it off instead.
    </Confirm>
  );
}
