-- 0013: A product is found by its id alone, by those who buy it without a key.

create index products_by_id on products (product_id);
