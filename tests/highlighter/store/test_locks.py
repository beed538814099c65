"""Locks on the files of the data folder, of which several documents share one."""

from concurrent.futures import ThreadPoolExecutor

from highlighter.store.locks import FolderLocks

KIND, FIRST, SECOND = "document-", "ab1", "ab2"  # both have the same file


def test_thread_locks_two_documents_of_one_file(tmp_path):
    """An email's attachment may share the file of the email, which is locked while its attachments are read."""
    locks = FolderLocks(tmp_path)
    with ThreadPoolExecutor(1) as other:

        def is_free(id):
            with locks.try_lock(KIND, id) as free:
                return free

        with locks.lock(KIND, FIRST):
            with locks.try_lock(KIND, SECOND) as free:
                assert free
                assert not is_free(FIRST)  # what is locked stays so, for its own thread as well
                assert not is_free(SECOND)
            assert is_free(SECOND)
            assert not other.submit(is_free, SECOND).result()
        assert other.submit(is_free, SECOND).result()
        assert is_free(FIRST)
    assert len(list(tmp_path.iterdir())) == 1
