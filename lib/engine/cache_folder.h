// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder whose files this process trusts, because only its own user can have written
// them: compiled kernels are code. All files are opened relative to the folder's
// descriptor, so that the folder in use is the one that was checked.

#ifndef INCLUDED_GPUFFT_CACHE_FOLDER_H
#define INCLUDED_GPUFFT_CACHE_FOLDER_H

#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class cache_folder
{
public:
    enum class if_missing { leave, make };

    // `make` creates the folder and its parents, for this user alone (mode 0700). One log
    // line says why a folder is not used.
    explicit cache_folder(const std::string& path,
                          if_missing missing = if_missing::leave);
    ~cache_folder();
    cache_folder(const cache_folder&) = delete;
    cache_folder& operator=(const cache_folder&) = delete;

    // False if the folder does not exist or is not used.
    explicit operator bool() const { return d_descriptor >= 0; }

    // Why the folder is not used; "" if it is, or does not exist.
    const std::string& reason() const { return d_reason; }

    // The content of a regular file; "" if there is none, or if others than this user can
    // write it, which is logged.
    std::string read(const std::string& name) const;

    // Writes a new file (mode 0600) and renames it, so that no reader sees half a file.
    // Changes nothing if that fails.
    void replace(const std::string& name, const std::string& content) const;

    // Marks a file as used now.
    void touch(const std::string& name) const;

    void remove(const std::string& name) const;

    struct file {
        std::string name;
        std::size_t bytes;
        std::time_t used; // written or touched
    };
    // The regular files.
    std::vector<file> files() const;

    // Exclusive right to change files, among holders of such locks, until destroyed.
    // After waiting for ten seconds, a lock continues without this right.
    class lock
    {
    public:
        explicit lock(const cache_folder& folder);
        ~lock();
        lock(const lock&) = delete;
        lock& operator=(const lock&) = delete;

    private:
        int d_descriptor; // -1: not locked
    };

private:
    const std::string d_path;
    std::string d_reason;
    int d_descriptor = -1;
};

// True if replace() has not finished the file with this name.
bool is_unfinished(const std::string& name);

// True if the file will never be finished, because its writer is gone.
bool is_stale(const cache_folder::file& file);

} // namespace gpufft
} // namespace gr

#endif
