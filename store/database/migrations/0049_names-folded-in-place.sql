-- Up Migration

-- The name that a row is sorted by is computed for every row of a file. With a setting of its own this function is a call with a
-- change of that setting; its text bound here, once, it becomes part of the statement, and no search path matters
-- for it. What it returns stays the same, so stored names and their index do too.
create or replace function folded_name(p_name text) returns text language sql immutable
return lower(translate(p_name,
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚ' ||
    'ěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž',
    'aaaaaaaceeeeiiiidnoooooouuuuytsaaaaaaaceeeeiiiidnoooooouuuuytyaaaaaaccccccccddddeeeeeeeee' ||
    'egggggggghhhhiiiiiiiiiijjkkllllllllnnnnnnoooooooorrrrrrssssssssttttuuuuuuuuuuuuwwyyyzzzzzz'));
